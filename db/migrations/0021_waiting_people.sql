-- How many people of a tenant wait, and the round in which they were counted: to count them for each job took the longer the
-- more of them waited. The rows of a tenant's people are beside each other in the order of bytes, however the database sorts.
ALTER TABLE job_turns
  ALTER COLUMN tenant TYPE text COLLATE "C",
  ADD COLUMN people      integer NOT NULL DEFAULT 0,
  ADD COLUMN counted_at  bigint NOT NULL DEFAULT 0;
