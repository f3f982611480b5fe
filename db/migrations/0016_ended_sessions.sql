-- Sessions of operators that were ended by signing out before their time was over.
CREATE TABLE ended_admin_sessions (
  id          text PRIMARY KEY,
  expires_at  timestamptz NOT NULL
);
