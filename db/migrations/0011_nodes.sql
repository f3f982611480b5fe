-- What all nodes have to have in common and none of them was given: each is made once, by whoever needs it first.
CREATE TABLE secrets (
  name text PRIMARY KEY,
  content text NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now()
);

-- The node whose callback is under way. When that node is dead, its claim is given to others at once.
ALTER TABLE saves ADD COLUMN attempting_node text;

-- Files that editors send in parts, each part to any node: the blobs of the parts that are there, in order.
CREATE TABLE sent_files (
  id text PRIMARY KEY,
  owner text NOT NULL,
  parts text[] NOT NULL DEFAULT '{}',
  size_bytes bigint NOT NULL DEFAULT 0,
  touched_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sent_files_touched ON sent_files (touched_at);
