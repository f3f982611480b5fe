-- Saves while people go on editing (statuses 6 and 7), and what the integrator has of each log.
-- `log_version` rises whenever changes that were in the log are taken out of it: with it, an index says for certain
-- which changes come before it.
ALTER TABLE documents
  ADD COLUMN log_version        integer NOT NULL DEFAULT 0,
  ADD COLUMN stored_index       integer NOT NULL DEFAULT 0,
  ADD COLUMN stored_log_version integer,
  ADD COLUMN stored_at          timestamptz;

-- A forced save is in state `assembling` from the request until its file is there; then it waits like every callback.
-- `abandoned`: it was not accepted in time. The document and its log are as they were.
ALTER TABLE saves
  DROP CONSTRAINT saves_status_check,
  ADD CONSTRAINT saves_status_check CHECK (status IN (2, 3, 4, 6, 7)),
  DROP CONSTRAINT saves_state_check,
  ADD CONSTRAINT saves_state_check CHECK
    (state IN ('assembling', 'pending', 'delivered', 'forgotten', 'superseded', 'abandoned')),
  ADD COLUMN not_modified   boolean NOT NULL DEFAULT false,
  ADD COLUMN log_version    integer,
  ADD COLUMN force_type     smallint,
  -- Who pressed the button.
  ADD COLUMN initiator_id   text,
  -- JSON text of what the integrator wants back.
  ADD COLUMN user_data      text,
  -- The time by which editors recognise the end of the save they asked for.
  ADD COLUMN announced_at   timestamptz,
  -- A worker has begun with it: the changes that come later are not in it.
  ADD COLUMN begun_at       timestamptz;

CREATE INDEX saves_assembling ON saves (key, id) WHERE state = 'assembling';
