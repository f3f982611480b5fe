-- Conversions by what they are made of: `id` is a keyed hash of the content, the formats, the options and the engine.
-- `passwords` are encrypted under a secret of the server. Neither state nor result depends on who asked.
CREATE TABLE conversions (
  id             text PRIMARY KEY,
  source_hash    text NOT NULL,
  from_type      text NOT NULL,
  to_type        text NOT NULL,
  options        jsonb NOT NULL,
  -- Blobs of the files that the source names, by their paths.
  media          jsonb NOT NULL DEFAULT '{}',
  passwords      text,
  state          text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'made', 'failed')),
  result_hash    text,
  result_type    text,
  error_code     integer,
  message        text,
  -- Whether another attempt would end in the same way.
  lasting        boolean NOT NULL DEFAULT true,
  -- Rises when a conversion is to be made again.
  attempt        integer NOT NULL DEFAULT 1,
  asked_at       timestamptz NOT NULL DEFAULT now(),
  ended_at       timestamptz
);

CREATE INDEX conversions_asked ON conversions (asked_at);

-- What integrators ask for under names of their own. While a node works on one it renews its claim.
CREATE TABLE conversion_requests (
  name           text PRIMARY KEY,
  claim          text NOT NULL,
  claimed_at     timestamptz NOT NULL DEFAULT now(),
  outcome        jsonb,
  ended_at       timestamptz
);

CREATE INDEX conversion_requests_ended ON conversion_requests (ended_at);

-- What a document was opened with where its file does not say enough: the password, or the encoding and delimiter of
-- plain text, encrypted under a secret of the server. `opened_variant` is a keyed hash of the same: sources that were
-- opened with other ones are other results.
ALTER TABLE documents
  ADD COLUMN opening_options text,
  ADD COLUMN opened_variant  text NOT NULL DEFAULT '';

ALTER TABLE opened_sources
  ADD COLUMN variant text NOT NULL DEFAULT '',
  DROP CONSTRAINT opened_sources_pkey,
  ADD PRIMARY KEY (source_hash, model, model_version, variant);
