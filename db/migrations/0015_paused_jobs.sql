-- Kinds of jobs of which operators have none begun.
CREATE TABLE paused_jobs (
  kind   text PRIMARY KEY,
  since  timestamptz NOT NULL DEFAULT now()
);
