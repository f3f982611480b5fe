import type { StoredMetrics } from '../platform/metrics/lifecycle.ts';
import type { Sql } from './pool.ts';

/** Counts documents and callbacks. It reads the whole of an index: not for every request. */
export async function readStoredMetrics(sql: Sql): Promise<StoredMetrics> {
  const [documents, outbox] = await Promise.all([
    sql.query<{ state: string; count: number }>(
      'SELECT state, count(*)::int AS count FROM documents GROUP BY state',
    ),
    sql.query<StoredMetrics['outbox']>(
      `SELECT count(*) FILTER (WHERE next_attempt_at <= now())::int AS due,
         count(*) FILTER (WHERE next_attempt_at > now())::int AS waiting,
         coalesce(extract(epoch FROM now() - min(created_at)) * 1000, 0)::float8 AS "oldestMs"
       FROM saves WHERE state = 'pending'`,
    ),
  ]);
  return {
    documents: Object.fromEntries(documents.rows.map(({ state, count }) => [state, count])),
    outbox: outbox.rows[0]!,
  };
}
