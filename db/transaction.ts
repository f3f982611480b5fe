import type pg from 'pg';

/** Runs `work` in a transaction on a connection of its own: committed when it resolves, rolled back when it rejects. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // A connection whose transaction failed may be in any state: it is not given back to the pool.
    client.release(true);
    throw error;
  }
}
