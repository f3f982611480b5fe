-- What a picture takes and who put it in, by the integrator's id, so that a document and each person has a bounded part. Of pictures
-- of before neither is known: they count as none.
ALTER TABLE media ADD COLUMN bytes bigint NOT NULL DEFAULT 0, ADD COLUMN user_id text;
