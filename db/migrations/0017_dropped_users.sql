-- The token by which somebody came in, as a SHA-256 in base64url; null where none was needed.
ALTER TABLE openings ADD COLUMN token_digest text;

-- Users whom the integrator sent away from a document: what they held then does not let them in again.
CREATE TABLE dropped_users (
  key            text NOT NULL,
  user_id        text NOT NULL,
  dropped_at     timestamptz NOT NULL,
  -- documents.user_index when it was: sessions up to it have ended.
  last_index     integer NOT NULL,
  token_digests  text[] NOT NULL,
  PRIMARY KEY (key, user_id)
);
