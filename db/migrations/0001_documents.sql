-- A document is one row per key. Its state says who may touch its log and files (docs/architecture.md has the
-- matrix). `epoch` rises with every change of state, so that a job that was started in an earlier one cannot commit.
CREATE TABLE documents (
  key            text PRIMARY KEY,
  state          text NOT NULL CHECK (state IN
                   ('opening', 'idle', 'open', 'closing', 'assembling', 'delivering', 'closed', 'failed', 'forgotten')),
  state_since    timestamptz NOT NULL DEFAULT now(),
  epoch          bigint NOT NULL DEFAULT 1,
  next_index     integer NOT NULL DEFAULT 0,
  user_index     integer NOT NULL DEFAULT 0,
  model          text,
  model_version  integer,
  file_type      text NOT NULL,
  title          text NOT NULL,
  -- Where the source comes from, and whether a verified token vouched for that address.
  source_url     text,
  source_vouched boolean NOT NULL DEFAULT false,
  source_hash    text,
  error_code     integer,
  -- The source is a copy from forgotten storage, not the integrator's file.
  from_forgotten boolean NOT NULL DEFAULT false,
  base_url       text NOT NULL,
  opened_at      timestamptz,
  -- When a closing document is to be assembled, and who left it last.
  due_at         timestamptz,
  left_user_id   text
) WITH (fillfactor = 80);

-- Documents that somebody still has to do something about, found again after a crash.
CREATE INDEX documents_unfinished ON documents (state, due_at)
  WHERE state IN ('opening', 'open', 'closing', 'assembling', 'delivering');

-- Who opened a document, and the callback address that person's page gave.
CREATE TABLE openings (
  key            text NOT NULL,
  user_index     integer NOT NULL,
  user_id        text NOT NULL,
  unique_id      text NOT NULL,
  user_name      text NOT NULL,
  callback_url   text,
  opened_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (key, user_index),
  UNIQUE (key, unique_id)
);

-- The change log: one row per batch. [first_index, next_index) without gap or overlap; documents.next_index is its end.
-- `changes` is a JSON array of the change strings.
CREATE TABLE batches (
  key            text NOT NULL,
  first_index    integer NOT NULL,
  next_index     integer NOT NULL CHECK (next_index > first_index),
  unique_id      text NOT NULL,
  user_id        text NOT NULL,
  user_name      text NOT NULL,
  saved_at       timestamptz NOT NULL,
  changes        text NOT NULL,
  PRIMARY KEY (key, first_index)
);

-- What opening a source gave, by the content of the source: documents with the same source share it.
CREATE TABLE opened_sources (
  source_hash    text NOT NULL,
  model          text NOT NULL,
  model_version  integer NOT NULL,
  error_code     integer,
  files          jsonb NOT NULL DEFAULT '{}',
  opened_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source_hash, model, model_version)
);
