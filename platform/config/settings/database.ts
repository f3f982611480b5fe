import { address, flag, integer } from '../setting.ts';

/** The database, and how it is used. */
export const databaseSettings = {
  databaseUrl: address(
    'DATABASE_URL',
    'embedded server under `DATA_DIR`',
    ['postgres', 'postgresql'],
    'PostgreSQL to use, version 14 or later.',
  ),
  databasePoolSize: integer(
    'DATABASE_POOL_SIZE',
    10,
    { min: 2, max: 1_000 },
    'Most connections this process opens to PostgreSQL.',
  ),
  databaseDirectUrl: address(
    'DATABASE_DIRECT_URL',
    'as `DATABASE_URL`',
    ['postgres', 'postgresql'],
    'The same database past a pooler such as PgBouncer, for what needs a connection of its own: migrations, the lock of the node, jobs without Redis, tidying. Name it when `DATABASE_URL` is a pooler in transaction mode.',
  ),
  databasePreparedStatements: flag(
    'DATABASE_PREPARED_STATEMENTS',
    true,
    'Whether frequent statements are prepared once per connection. Off for poolers in transaction mode that do not know prepared statements (PgBouncer before 1.21, or `max_prepared_statements` 0).',
  ),
  databasePoolWaitMs: integer(
    'DATABASE_POOL_WAIT_MS',
    10_000,
    { min: 100, max: 600_000 },
    'How long a request waits for a free connection to PostgreSQL before it fails, milliseconds.',
  ),
  databaseStatementTimeoutMs: integer(
    'DATABASE_STATEMENT_TIMEOUT_MS',
    30_000,
    { min: 0, max: 3_600_000 },
    'After which PostgreSQL ends a statement of this server, milliseconds; workers have twice as long; 0: never. Behind a pooler it is to be set for the role.',
  ),
  groupCommitWindowMs: integer(
    'GROUP_COMMIT_WINDOW_MS',
    0,
    { min: 0, max: 20 },
    'How long a save waits for others to share its transaction, milliseconds. 0: it shares with those that come while an earlier transaction is under way, and waits for nothing else.',
  ),
};
