-- What was filled into a form that was submitted: the blob whose address goes with the callback.
ALTER TABLE saves ADD COLUMN form_data_hash text;
