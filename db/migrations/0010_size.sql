-- The model of a document as it is after the first `end_index` changes of its log, as a blob: what is made of the log
-- begins there. It holds for one version of the log of one opening; whatever does not match is as if it were not there.
CREATE TABLE checkpoints (
  key            text PRIMARY KEY,
  log_version    integer NOT NULL,
  opened_at      timestamptz NOT NULL,
  end_index      integer NOT NULL CHECK (end_index > 0),
  hash           text NOT NULL,
  made_at        timestamptz NOT NULL DEFAULT now()
);

-- Every table of documents can be parted by a hash of the key: its primary key begins with it, and numbers come from a
-- sequence, which PostgreSQL before 17 wants where it parts a table.
ALTER TABLE forgotten DROP CONSTRAINT forgotten_save_id_fkey;
ALTER TABLE saves
  DROP CONSTRAINT saves_pkey,
  ADD PRIMARY KEY (key, id),
  ALTER COLUMN id DROP IDENTITY;
DROP INDEX saves_by_key;
CREATE SEQUENCE save_ids;
SELECT setval('save_ids', coalesce(max(id), 0) + 1, false) FROM saves;
ALTER TABLE saves ALTER COLUMN id SET DEFAULT nextval('save_ids');

-- For the removal of what nobody needs any more.
CREATE INDEX documents_by_source ON documents (source_hash);
CREATE INDEX saves_ended ON saves (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX opened_sources_used ON opened_sources (opened_at);

-- Rows of these come and go all the time: what is left of them is cleared away before it is a fifth of the table.
ALTER TABLE documents SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE batches SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE saves SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
