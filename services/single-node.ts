import pg from 'pg';

/** Any constant number of ours: the advisory lock that stands for "the one node on this database". */
const lockId = 7_103_515_201;

/**
 * With coordination in process memory a second server on the same database would grant locks the first one holds, so
 * it must not start. The lock lives as long as the connection does; losing it means that another node may take it.
 */
export class SingleNodeLock {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Takes the lock. `onLost` is called when the database connection that holds it breaks. */
  static async take(databaseUrl: string, onLost: (error: Error) => void): Promise<SingleNodeLock> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'quire node',
      keepAlive: true,
    });
    let held = false;
    client.on('error', (error) => {
      if (held) onLost(error);
    });
    await client.connect();
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      lockId,
    ]);
    if (!rows[0]!.taken) {
      await client.end();
      throw new Error(
        'Another Quire server uses this database. Without REDIS_URL there can be only one: stop the other one, ' +
          'or give this one a DATABASE_URL or DATA_DIR of its own.',
      );
    }
    held = true;
    return new SingleNodeLock(client);
  }

  async release(): Promise<void> {
    this.#client.removeAllListeners('error');
    this.#client.on('error', () => undefined);
    await this.#client.end();
  }
}
