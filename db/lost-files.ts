import type pg from 'pg';
import { CallbackStatus } from '../client/protocol/index.ts';
import { keepForgotten } from './closing.ts';
import { fileGone, isForced, type SaveRow } from './save-row.ts';
import { inTransaction } from './transaction.ts';

const { corrupted, forceSaved, forceSaveFailed } = CallbackStatus;

/** So often the file of one opening is made anew: a store that loses each of them again is not asked for ever. */
const mostTimes = 3;

/** Saves of the outbox whose file is no longer in the store of files. */
export class LostFiles {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Blobs that the file of a save is made from; null when its document has moved on, or was made anew too often. */
  async sourcesOf(save: SaveRow): Promise<string[] | null> {
    const { rows } = await this.#pool.query<{ hashes: (string | null)[] }>(
      `SELECT ARRAY[source_hash, base_hash] || ARRAY(SELECT hash FROM media WHERE media.key = documents.key) AS hashes
       FROM documents WHERE key = $1 AND source_hash IS NOT NULL AND model <> 'opaque' AND (${
         isForced(save)
           ? `log_version = $2 AND next_index >= $3 AND state IN ('open', 'closing') AND $4 <= ${mostTimes}`
           : `epoch = $2 AND next_index = $3 AND state = 'delivering'
              AND (SELECT count(*) FROM saves WHERE saves.key = documents.key AND saves.created_at >= opened_at
                   AND saves.state = 'superseded' AND starts_with(saves.last_error, $4)) < ${mostTimes}`
       })`,
      isForced(save)
        ? [save.key, save.logVersion, save.endIndex, save.attempts]
        : [save.key, save.epoch, save.endIndex, fileGone],
    );
    return rows[0]?.hashes.filter((hash) => hash !== null) ?? null;
  }

  /**
   * Has the file of a save made anew, from the base and the log: `Recovery` and `ForceSaves` take it up. False when the
   * document has moved on.
   */
  makeAnew(save: SaveRow, reason: string): Promise<boolean> {
    if (isForced(save)) return this.#makeForcedAnew(save, reason);
    return inTransaction(this.#pool, async (client) => {
      const { rowCount } = await client.query(
        `UPDATE documents SET state = 'assembling', state_since = now(), epoch = epoch + 1
         WHERE key = $1 AND epoch = $2 AND state = 'delivering'`,
        [save.key, save.epoch],
      );
      if (rowCount !== 1) return false;
      await client.query(
        `UPDATE saves SET state = 'superseded', ended_at = now(), attempting_since = NULL, last_error = $3
         WHERE key = $1 AND id = $2`,
        [save.key, save.id, reason],
      );
      return true;
    });
  }

  async #makeForcedAnew(save: SaveRow, reason: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `UPDATE saves SET state = 'assembling', begun_at = NULL, attempting_since = NULL, result_hash = NULL,
         created_at = now(), last_error = $3
       WHERE key = $1 AND id = $2 AND state = 'pending'`,
      [save.key, save.id, reason],
    );
    return rowCount === 1;
  }

  /**
   * The file cannot be made anew. Its integrator is told so (status 3, or 7 of a forced save); base and log, or what is
   * left of them, rest in forgotten storage.
   */
  report(save: SaveRow, reason: string): Promise<void> {
    return inTransaction(this.#pool, async (client) => {
      await client.query(
        `UPDATE saves SET status = $3, result_hash = NULL, attempts = 0, first_attempt_at = NULL,
           attempting_since = NULL, next_attempt_at = now(), last_error = $4 WHERE key = $1 AND id = $2`,
        [save.key, save.id, save.status === forceSaved ? forceSaveFailed : corrupted, reason],
      );
      if (!isForced(save)) await keepForgotten(client, save, false);
    });
  }
}
