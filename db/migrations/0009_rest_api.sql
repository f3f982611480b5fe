-- `routing`: what the browser that opened the document last gave for a load balancer to find its node again, by the names
-- that have to be in the queries of links and callbacks.
ALTER TABLE documents ADD COLUMN routing jsonb;

-- The storage said through another channel, while a callback was under way, that it does not have the document after all.
ALTER TABLE saves ADD COLUMN vetoed boolean NOT NULL DEFAULT false;
