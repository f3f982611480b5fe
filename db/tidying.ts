import type pg from 'pg';

/** Any number that nothing else takes: who holds it tidies. */
const advisoryLock = 7_205_811_420;

/** SQL: long enough ago. The age is the first parameter, milliseconds. */
const cutoff = `now() - $1 * interval '1 millisecond'`;

/**
 * SQL: looked up for each row. Without it the planner would scan the whole table for a few hundred rows, since it does not
 * know how many are wanted.
 */
const each = 'OFFSET 0';

/** Every column that names a blob. */
const references = [
  'SELECT source_hash FROM documents',
  'SELECT base_hash FROM documents',
  'SELECT result_hash FROM saves',
  'SELECT changes_hash FROM saves',
  'SELECT form_data_hash FROM saves',
  'SELECT hash FROM media',
  'SELECT hash FROM checkpoints',
  'SELECT result_hash FROM forgotten',
  'SELECT source_hash FROM forgotten',
  'SELECT source_hash FROM opened_sources',
  'SELECT value FROM opened_sources, jsonb_each_text(files)',
  'SELECT source_hash FROM conversions',
  'SELECT result_hash FROM conversions',
  'SELECT value FROM conversions, jsonb_each_text(media)',
];

/**
 * Removes what nobody needs any more. Everything is done on one connection that holds a lock, so that only one of several
 * nodes does it.
 */
export class Tidying {
  readonly #client: pg.PoolClient;

  private constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  /** Runs a task if no other node tidies at this moment. Returns whether it did. */
  static async run(pool: pg.Pool, task: (tidying: Tidying) => Promise<void>): Promise<boolean> {
    const client = await pool.connect();
    try {
      const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
        advisoryLock,
      ]);
      if (!rows[0]!.taken) return false;
      try {
        await task(new Tidying(client));
      } finally {
        await client.query('DROP TABLE IF EXISTS referenced_blobs');
        await client.query('SELECT pg_advisory_unlock($1)', [advisoryLock]);
      }
      return true;
    } finally {
      client.release();
    }
  }

  /**
   * Removes up to `limit` documents whose keys come after `after` and that nobody has opened for `olderThanMs`, has
   * changes in or waits for. `isAttached`: somebody has to do with it, on whatever node. Returns the last key that was looked at,
   * null at the end, and how many were removed.
   */
  async removeDocuments(
    { olderThanMs, after, limit }: { olderThanMs: number; after: string; limit: number },
    isAttached: (key: string) => boolean | Promise<boolean>,
  ): Promise<{ last: string | null; removed: number }> {
    return this.#inTransaction(async () => {
      // The rows are locked before they are checked a second time: who enters a document now waits, and makes it anew.
      const { rows } = await this.#client.query<{ key: string }>(
        `SELECT key FROM documents AS d WHERE key > $2 AND state IN ('idle', 'closed', 'failed')
           AND next_index = 0 AND NOT from_forgotten AND state_since < ${cutoff}
           AND NOT EXISTS (SELECT FROM saves AS s WHERE s.key = d.key AND s.state IN ('assembling', 'pending') ${each})
           AND NOT EXISTS (SELECT FROM forgotten AS f WHERE f.key = d.key ${each})
         ORDER BY key LIMIT $3 FOR UPDATE OF d SKIP LOCKED`,
        [olderThanMs, after, limit],
      );
      const attached = await Promise.all(rows.map(({ key }) => isAttached(key)));
      const free = rows.filter((_, at) => !attached[at]).map(({ key }) => key);
      const deleted = await this.#client.query<{ key: string }>(
        `DELETE FROM documents AS d WHERE key = ANY($2)
           AND NOT EXISTS (SELECT FROM openings AS o WHERE o.key = d.key AND o.opened_at >= ${cutoff} ${each})
         RETURNING key`,
        [olderThanMs, free],
      );
      const gone = deleted.rows.map(({ key }) => key);
      for (const table of ['openings', 'dropped_users', 'media', 'saves', 'checkpoints']) {
        await this.#client.query(`DELETE FROM ${table} WHERE key = ANY($1)`, [gone]);
      }
      return { last: rows.length < limit ? null : rows.at(-1)!.key, removed: gone.length };
    });
  }

  /**
   * Removes up to `limit` callbacks that ended that long ago and say nothing of a document's present life, or are followed
   * by a newer one of the same status.
   */
  async removeSaves(olderThanMs: number, limit: number): Promise<number> {
    const { rowCount } = await this.#client.query(
      `DELETE FROM saves WHERE (key, id) IN (
         SELECT key, id FROM saves AS s
         WHERE state IN ('delivered', 'superseded', 'abandoned', 'forgotten') AND ended_at < ${cutoff}
           AND NOT EXISTS (SELECT FROM forgotten AS f WHERE f.key = s.key AND f.save_id = s.id ${each})
           AND (NOT EXISTS (SELECT FROM documents AS d WHERE d.key = s.key
                            AND (d.opened_at IS NULL OR d.opened_at <= s.created_at) ${each})
             OR EXISTS (SELECT FROM saves AS newer WHERE newer.key = s.key AND newer.id > s.id
                        AND newer.status = s.status AND newer.state = 'delivered' ${each}))
         ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [olderThanMs, limit],
    );
    return rowCount ?? 0;
  }

  /** Removes up to `limit` results of opening that were not asked for that long, and whose source no document has or is based on. */
  async removeOpenedSources(olderThanMs: number, limit: number): Promise<number> {
    const { rowCount } = await this.#client.query(
      `DELETE FROM opened_sources WHERE opened_at < ${cutoff} AND ctid = ANY(ARRAY(
         SELECT o.ctid FROM opened_sources AS o WHERE opened_at < ${cutoff}
           AND NOT EXISTS (SELECT FROM documents AS d WHERE d.source_hash = o.source_hash ${each})
           AND NOT EXISTS (SELECT FROM documents AS d WHERE d.base_hash = o.source_hash ${each})
           AND NOT EXISTS (SELECT FROM forgotten AS f WHERE f.source_hash = o.source_hash ${each})
         LIMIT $2 FOR UPDATE OF o SKIP LOCKED))`,
      [olderThanMs, limit],
    );
    return rowCount ?? 0;
  }

  /**
   * Removes conversions, and the requests for them, until those that are left take `maxBytes`: the ones first that were not
   * asked for the longest, and none that was asked for in the last `usedForMs`. Returns how many, and
   * the blobs that they named.
   */
  async evictConversions(
    maxBytes: number,
    usedForMs: number,
  ): Promise<{ count: number; hashes: ReadonlySet<string> }> {
    const { rows } = await this.#client.query<{ hashes: (string | null)[] }>(
      `WITH sized AS (
         SELECT id, asked_at, sum(coalesce(stored_bytes, 0)) OVER (ORDER BY asked_at DESC, id) AS newer
         FROM conversions WHERE state = 'made'),
       evicted AS (
         DELETE FROM conversions AS c USING sized AS s
         WHERE c.id = s.id AND c.asked_at = s.asked_at AND s.newer > $2 AND s.asked_at < ${cutoff}
         RETURNING c.id, ARRAY[c.source_hash, c.result_hash] || ARRAY(SELECT value FROM jsonb_each_text(c.media)) AS hashes),
       forgotten AS (DELETE FROM conversion_requests WHERE conversion_id IN (SELECT id FROM evicted))
       SELECT hashes FROM evicted`,
      [usedForMs, maxBytes],
    );
    const hashes = rows.flatMap((row) => row.hashes).filter((hash) => hash !== null);
    return { count: rows.length, hashes: new Set(hashes) };
  }

  /** Removes what the job queue noted of jobs longer ago, where it is kept in this database. Returns how many notes. */
  async removeJobEvents(olderThanMs: number): Promise<number> {
    const { rows } = await this.#client.query<{ isThere: boolean }>(
      `SELECT to_regclass('bullmq.event') IS NOT NULL AS "isThere"`,
    );
    if (!rows[0]!.isThere) return 0;
    const { rowCount } = await this.#client.query(
      'DELETE FROM bullmq.event WHERE created_at_ms < extract(epoch FROM now()) * 1000 - $1::bigint',
      [olderThanMs],
    );
    return rowCount ?? 0;
  }

  /** Notes which blobs are named anywhere at this moment, for {@link unreferenced}. */
  async noteReferences(): Promise<void> {
    await this.#client.query('DROP TABLE IF EXISTS referenced_blobs');
    await this.#client.query(
      `CREATE TEMPORARY TABLE referenced_blobs AS
       SELECT DISTINCT hash FROM (${references.join(' UNION ALL ')}) AS named (hash) WHERE hash IS NOT NULL`,
    );
    await this.#client.query('CREATE INDEX ON referenced_blobs (hash)');
  }

  /** Those of some blobs that nothing named when {@link noteReferences} was called. */
  async unreferenced(hashes: readonly string[]): Promise<string[]> {
    const { rows } = await this.#client.query<{ hash: string }>(
      `SELECT hash FROM unnest($1::text[]) AS given (hash)
       WHERE NOT EXISTS (SELECT FROM referenced_blobs WHERE referenced_blobs.hash = given.hash)`,
      [hashes],
    );
    return rows.map(({ hash }) => hash);
  }

  async #inTransaction<Result>(task: () => Promise<Result>): Promise<Result> {
    await this.#client.query('BEGIN');
    try {
      const result = await task();
      await this.#client.query('COMMIT');
      return result;
    } catch (error) {
      await this.#client.query('ROLLBACK');
      throw error;
    }
  }
}
