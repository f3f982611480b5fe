-- Which engines the converter processes have: servers without engines of their own decide by it what can be converted.
CREATE TABLE converter_engines (
  worker text NOT NULL,
  engine text NOT NULL,
  version text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (worker, engine)
);
