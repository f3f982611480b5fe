-- A document of a format that is none of the word processor's own is edited as a docx that was made of its source, once:
-- another conversion need not give the same. `base_hash` is that docx, on which the log is based; null where the source is.
ALTER TABLE documents ADD COLUMN base_hash text;

-- For the removal of what nobody needs any more.
CREATE INDEX documents_by_base ON documents (base_hash) WHERE base_hash IS NOT NULL;
