-- When a callback was first sent to its address; null: it has not been, or by a version that did not record it. The time
-- for which it is tried begins there.
ALTER TABLE saves ADD COLUMN first_attempt_at timestamptz;
