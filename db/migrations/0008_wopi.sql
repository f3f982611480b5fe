-- Files of WOPI hosts. `source` is the address of the file at its host; one key per file, as long as somebody edits it.
CREATE TABLE wopi_files (
  key            text PRIMARY KEY,
  source         text NOT NULL UNIQUE,
  -- What the host said of the file when our copy and the host's were last the same.
  version        text,
  last_modified  text,
  marked_at      timestamptz NOT NULL DEFAULT now(),
  supports_locks boolean NOT NULL DEFAULT false,
  -- Since when our lock is held at the host, and when it was last confirmed; null when it is not held.
  locked_at      timestamptz,
  refreshed_at   timestamptz,
  -- When somebody last opened the page of the editor.
  visited_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX wopi_files_locked ON wopi_files (refreshed_at) WHERE locked_at IS NOT NULL;

-- Who opened the page of an editor, with what the host lets this person do and the token to speak in their name.
CREATE TABLE wopi_sessions (
  id             text PRIMARY KEY,
  key            text NOT NULL,
  source         text NOT NULL,
  access_token   text NOT NULL,
  -- Null: the host did not say.
  expires_at     timestamptz,
  -- May write to the host.
  writes         boolean NOT NULL,
  -- The host's answer to CheckFileInfo.
  file_info      jsonb NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX wopi_sessions_by_key ON wopi_sessions (key, created_at);
