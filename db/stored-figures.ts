import type { Sql } from './pool.ts';

/** What the database knows of all documents, for metrics. */
export interface StoredFigures {
  /** How many there are in each state that occurs. */
  documents: Readonly<Record<string, number>>;
  /** Callbacks to be accepted yet: due now, and waiting for another attempt. */
  outbox: { due: number; waiting: number; oldestMs: number };
}

/** Counts documents and callbacks. It reads the whole of an index: not for every request. */
export async function readStoredFigures(sql: Sql): Promise<StoredFigures> {
  const [documents, outbox] = await Promise.all([
    sql.query<{ state: string; count: number }>(
      'SELECT state, count(*)::int AS count FROM documents GROUP BY state',
    ),
    sql.query<StoredFigures['outbox']>(
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
