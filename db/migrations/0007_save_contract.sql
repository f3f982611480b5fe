-- How old a storage may get. `store_within_ms`: the integrator asked for every change to be stored within this time.
-- `unsaved_since`: since when the integrator lacks something of the document. `refused_since`: since when it takes no file.
-- `source_etag`, `source_modified`: how the source's host named the version that was fetched.
ALTER TABLE documents
  ADD COLUMN store_within_ms integer,
  ADD COLUMN unsaved_since   timestamptz,
  ADD COLUMN refused_since   timestamptz,
  ADD COLUMN source_etag     text,
  ADD COLUMN source_modified text;

UPDATE documents SET unsaved_since = now()
WHERE state <> 'closed' AND (
  next_index > CASE WHEN stored_log_version = log_version THEN stored_index ELSE 0 END
  OR stored_log_version <> log_version);

-- For the timer of continuous saves, and for the age of the oldest unsaved change.
CREATE INDEX documents_to_store ON documents (unsaved_since)
  WHERE unsaved_since IS NOT NULL AND store_within_ms IS NOT NULL;
CREATE INDEX documents_unsaved ON documents (unsaved_since) WHERE unsaved_since IS NOT NULL;
CREATE INDEX documents_refused ON documents (refused_since) WHERE refused_since IS NOT NULL;
