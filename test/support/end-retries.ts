import type pg from 'pg';
import { eventually } from './eventually.ts';

/** Has the time be over for which a callback of a document is tried again, once one was refused. */
export async function endRetries(pool: Pick<pg.Pool, 'query'>, key: string): Promise<void> {
  // One that is under way has read the time, and writes it again.
  await eventually(
    () =>
      pool.query(
        `UPDATE saves SET first_attempt_at = first_attempt_at - interval '30 days'
         WHERE key = $1 AND first_attempt_at IS NOT NULL AND attempting_since IS NULL AND ended_at IS NULL`,
        [key],
      ),
    ({ rowCount }) => rowCount! > 0,
  );
}
