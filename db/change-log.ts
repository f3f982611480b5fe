import type pg from 'pg';
import type { ChangeAuthor } from '../model/log/change-author.ts';
import type {
  AppendResult,
  ChangeLog,
  KnownEnd,
  Replacement,
  ReplaceResult,
  StoredBatch,
} from '../platform/ports/change-log.ts';
import { keepCheckpointBelow } from './checkpoints.ts';
import { isUnsaved } from './document-row.ts';
import type { GroupCommit } from './group-commit.ts';
import { inTransaction } from './transaction.ts';

const pageBytesDefault = 2_000_000;

const lockEnd = 'SELECT next_index, state FROM documents WHERE key = $1 FOR UPDATE';

/** SQL: the first index of the batch that holds change `$2` of log `$1`; batches before it need not be read. */
const beginning = `coalesce((SELECT first_index FROM batches WHERE key = $1 AND first_index <= $2
  ORDER BY first_index DESC LIMIT 1), 0)`;

const overlapping = `
  SELECT first_index, next_index, unique_id, user_id, user_name, stamp, saved_at, changes
  FROM batches WHERE key = $1 AND first_index >= ${beginning} AND next_index > $2 AND first_index < $3
  ORDER BY first_index LIMIT $4`;

/** SQL: whether somebody but `$3` made a change numbered `$2` or up of log `$1`. */
const byOthers = `SELECT 1 FROM batches
  WHERE key = $1 AND first_index >= ${beginning} AND next_index > $2 AND unique_id <> $3 LIMIT 1`;

interface BatchRow {
  first_index: number;
  next_index: number;
  unique_id: string;
  user_id: string;
  user_name: string;
  stamp: ChangeAuthor | null;
  saved_at: Date;
  changes: string;
}

const toBatch = (row: BatchRow): StoredBatch => ({
  firstIndex: row.first_index,
  nextIndex: row.next_index,
  author: {
    uniqueId: row.unique_id,
    userId: row.user_id,
    name: row.user_name,
    ...(row.stamp && { stamp: row.stamp }),
  },
  savedAtMs: row.saved_at.getTime(),
  changes: row.changes,
});

/** The change log in PostgreSQL: a row per batch, `documents.next_index` is its end and decides about every append. */
export class PostgresChangeLog implements ChangeLog {
  readonly #pool: pg.Pool;
  readonly #groupCommit: GroupCommit;

  constructor(pool: pg.Pool, groupCommit: GroupCommit) {
    this.#pool = pool;
    this.#groupCommit = groupCommit;
  }

  append(append: { key: string; batch: StoredBatch }): Promise<AppendResult> {
    return this.#groupCommit.append(append);
  }

  async replaceFrom({ key, expectedEnd, fromIndex, by, batch }: Replacement): Promise<ReplaceResult> {
    return inTransaction(this.#pool, async (client) => {
      const end = (await client.query<{ next_index: number; state: string }>(lockEnd, [key])).rows[0];
      if (end?.next_index !== expectedEnd || end.state !== 'open') {
        return { kind: 'conflict', endIndex: end?.next_index ?? null, state: end?.state ?? null };
      }
      const { rows: others } = await client.query(byOthers, [key, fromIndex, by]);
      if (others.length > 0) return { kind: 'foreign' };
      await removeFrom(client, key, fromIndex);
      if (batch) await insert(client, key, batch);
      await client.query(
        `UPDATE documents SET next_index = $2, log_version = log_version + 1,
           stored_log_version = CASE WHEN stored_log_version = log_version AND stored_index <= $3
                                     THEN log_version + 1 ELSE stored_log_version END
         WHERE key = $1`,
        [key, batch?.nextIndex ?? fromIndex, fromIndex],
      );
      await client.query(keepCheckpointBelow, [key, fromIndex]);
      // What was taken back may have been all that the integrator lacked.
      await client.query(
        `UPDATE documents SET unsaved_since = CASE WHEN ${isUnsaved} THEN coalesce(unsaved_since, now()) END
         WHERE key = $1`,
        [key],
      );
      return { kind: 'appended' };
    });
  }

  async endOf(key: string): Promise<KnownEnd | null> {
    const { rows } = await this.#pool.query<{ end_index: number; version: number; saved_at: Date | null }>(
      `SELECT next_index AS end_index, log_version AS version,
         (SELECT saved_at FROM batches WHERE key = $1 ORDER BY first_index DESC LIMIT 1) AS saved_at
       FROM documents WHERE key = $1`,
      [key],
    );
    const [end] = rows;
    if (!end) return null;
    return { endIndex: end.end_index, version: end.version, savedAtMs: end.saved_at?.getTime() ?? 0 };
  }

  async sizeOf(key: string, endIndex: number): Promise<number> {
    const { rows } = await this.#pool.query<{ bytes: number }>(
      'SELECT coalesce(sum(octet_length(changes)), 0)::float8 AS bytes FROM batches WHERE key = $1 AND first_index < $2',
      [key, endIndex],
    );
    return rows[0]!.bytes;
  }

  async sizeOfLimited(key: string, userId: string): Promise<{ all: number; own: number }> {
    const { rows } = await this.#pool.query<{ all: number; own: number }>({
      name: 'size-of-limited',
      text: `SELECT coalesce(sum(octet_length(changes)), 0)::float8 AS "all",
               coalesce(sum(octet_length(changes)) FILTER (WHERE user_id = $2), 0)::float8 AS own
             FROM batches WHERE key = $1 AND stamp -> 'may' IS NOT NULL`,
      values: [key, userId],
    });
    return rows[0]!;
  }

  async *read(
    key: string,
    firstIndex: number,
    endIndex: number,
    pageBytes = pageBytesDefault,
  ): AsyncGenerator<StoredBatch[]> {
    let rowLimit = 16;
    for (let index = firstIndex; index < endIndex; ) {
      const { rows } = await this.#pool.query<BatchRow>({
        name: 'read-batches',
        text: overlapping,
        values: [key, index, endIndex, rowLimit],
      });
      if (rows.length === 0) return;
      const page = rows.map(toBatch);
      yield page;
      index = page.at(-1)!.nextIndex;
      const bytes = page.reduce((sum, batch) => sum + batch.changes.length, 0);
      rowLimit = Math.min(4096, Math.max(1, Math.floor((page.length * pageBytes) / Math.max(bytes, 1))));
    }
  }
}

/** Removes every change numbered `fromIndex` and up; a batch that straddles it keeps its first part. */
async function removeFrom(client: pg.PoolClient, key: string, fromIndex: number): Promise<void> {
  const straddling = (await client.query<BatchRow>(overlapping, [key, fromIndex, fromIndex + 1, 1])).rows[0];
  await client.query(
    `DELETE FROM batches WHERE key = $1 AND first_index >= ${beginning} AND next_index > $2`,
    [key, fromIndex],
  );
  if (straddling && straddling.first_index < fromIndex) {
    const kept = (JSON.parse(straddling.changes) as string[]).slice(0, fromIndex - straddling.first_index);
    await insert(client, key, {
      ...toBatch(straddling),
      nextIndex: fromIndex,
      changes: JSON.stringify(kept),
    });
  }
}

async function insert(client: pg.PoolClient, key: string, batch: StoredBatch): Promise<void> {
  await client.query(
    `INSERT INTO batches (key, first_index, next_index, unique_id, user_id, user_name, stamp, saved_at, changes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8 / 1000.0), $9)`,
    [
      key,
      batch.firstIndex,
      batch.nextIndex,
      batch.author.uniqueId,
      batch.author.userId,
      batch.author.name,
      batch.author.stamp ? JSON.stringify(batch.author.stamp) : null,
      batch.savedAtMs,
      batch.changes,
    ],
  );
}
