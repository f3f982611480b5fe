-- Whose turn it is in the job queue, in each of its lanes. The tenant '' has the turn of the job that was taken last. After a
-- crash of the database it is empty, and everybody is as if nobody had been served.
CREATE UNLOGGED TABLE job_turns (
  lane    text NOT NULL,
  tenant  text NOT NULL,
  turn    bigint NOT NULL,
  PRIMARY KEY (lane, tenant)
);

-- What source and result of a conversion take, and how far one that is being made has come.
ALTER TABLE conversions
  ADD COLUMN stored_bytes  bigint,
  ADD COLUMN stage         text,
  ADD COLUMN progress      real NOT NULL DEFAULT 0;

-- Which conversion a request under a name waits for.
ALTER TABLE conversion_requests ADD COLUMN conversion_id text;
