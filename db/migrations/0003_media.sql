-- Pictures that editors uploaded into a document, by the path under which its changes name them.
CREATE TABLE media (
  key            text NOT NULL,
  path           text NOT NULL,
  hash           text NOT NULL,
  uploaded_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (key, path)
);
