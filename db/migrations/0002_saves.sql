-- The outbox: every callback that must arrive (statuses 2, 3 and 4), written in the transaction that caused it.
CREATE TABLE saves (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key            text NOT NULL,
  epoch          bigint NOT NULL,
  status         smallint NOT NULL CHECK (status IN (2, 3, 4)),
  state          text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'forgotten', 'superseded')),
  callback_url   text,
  base_url       text NOT NULL,
  end_index      integer NOT NULL,
  result_hash    text,
  file_type      text,
  changes_hash   text,
  history        jsonb,
  author_id      text,
  left_user_id   text,
  last_saved_at  timestamptz,
  skipped        integer NOT NULL DEFAULT 0,
  attempts       integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  attempting_since timestamptz,
  last_error     text,
  created_at     timestamptz NOT NULL DEFAULT now(),
  ended_at       timestamptz
);

CREATE INDEX saves_pending ON saves (next_attempt_at) WHERE state = 'pending';
CREATE INDEX saves_by_key ON saves (key, id);

-- Work that could not be handed over. `result_hash` is the assembled file, or null when there is none and the base
-- file and the change log are what is left.
CREATE TABLE forgotten (
  key            text PRIMARY KEY,
  save_id        bigint NOT NULL REFERENCES saves (id),
  result_hash    text,
  source_hash    text NOT NULL,
  file_type      text NOT NULL,
  forgotten_at   timestamptz NOT NULL DEFAULT now()
);
