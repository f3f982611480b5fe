import type pg from 'pg';
import { kinds } from '../model/kinds.ts';
import type { Routing } from '../platform/ports/document-lifecycle.ts';
import { type DocumentRow, type DocumentStateName, documentColumns } from './document-row.ts';
import { inTransaction } from './transaction.ts';

/** Somebody opens a document. */
export interface Entry {
  key: string;
  editor: boolean;
  userId: string;
  userName: string;
  callbackUrl: string | null;
  /** The address of this server for callbacks; null from who has no say in it, which leaves what is known. */
  baseUrl: string | null;
  fileType: string;
  title: string;
  source: SourceAddress;
  /** The integrator wants every change stored within this time, milliseconds; null: it does not say. */
  storeWithinMs?: number | null;
  /** What the opener's address says for load balancers, by the same rule; null leaves what is known. */
  routing?: Routing | null;
  /** Of the token that the opener came with; see `DroppedUsers`. */
  tokenDigest?: string | null;
}

/** Where a source is to be fetched from, if the opener says so, and whether a verified token vouches for it. */
export interface SourceAddress {
  url: string | null;
  vouched: boolean;
}

/** What the host of a source calls the version that it gave: the values of `ETag` and `Last-Modified`. */
export interface SourceVersion {
  etag: string | null;
  modified: string | null;
}

/** How a document is entered anew: its row afterwards, and whether this entry is the first opening of its source. */
interface Entered {
  row: DocumentRow;
  uniqueId: string;
}

/** How long the key of a delivered document stays used up, as a PostgreSQL interval. */
const usedUpFor = '5 minutes';

/**
 * Of what openers ask for the storing of changes, the shortest time counts.
 * `$3`: the step by which the index rises, more than 1 only when a unique id would be given twice (user `1` with index
 * 12 and user `11` with index 2 are both `112`). An editor's entry cancels a closing that is not delivered yet.
 */
const enter = `
  WITH document AS (
    INSERT INTO documents AS d (key, state, user_index, file_type, title, base_url, source_url, source_vouched,
      store_within_ms, routing)
    VALUES ($1, 'opening', $3, $8, $9, coalesce($7::text, ''), $10, $11, $12, $13)
    ON CONFLICT (key) DO UPDATE SET
      user_index = d.user_index + $3,
      base_url = coalesce($7::text, d.base_url),
      routing = coalesce(excluded.routing, d.routing),
      store_within_ms = least(d.store_within_ms, excluded.store_within_ms),
      source_hash = CASE WHEN d.state = 'failed' AND NOT d.from_forgotten THEN NULL ELSE d.source_hash END,
      source_url = CASE WHEN d.state = 'failed' OR d.source_url IS NULL THEN excluded.source_url ELSE d.source_url END,
      source_vouched = CASE WHEN d.state = 'failed' OR d.source_url IS NULL THEN excluded.source_vouched
                            ELSE d.source_vouched END,
      state = CASE WHEN d.state = 'failed' THEN 'opening'
                   WHEN $2 AND d.state IN ('idle', 'closing', 'assembling') THEN 'open' ELSE d.state END,
      epoch = d.epoch + CASE WHEN d.state = 'failed' OR ($2 AND d.state IN ('idle', 'closing', 'assembling'))
                             THEN 1 ELSE 0 END
    RETURNING *
  ), opening AS (
    INSERT INTO openings (key, user_index, user_id, unique_id, user_name, callback_url, token_digest)
    SELECT key, user_index, $4, $4 || user_index, $5, $6, $14 FROM document
  )
  SELECT ${documentColumns}, $4 || user_index AS "uniqueId" FROM document`;

const uniqueViolation = '23505';

/** The documents table: every change of a document's state is made here, in one transaction with what justifies it. */
export class Documents {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async find(key: string): Promise<DocumentRow | null> {
    const { rows } = await this.#pool.query<DocumentRow>({
      name: 'find-document',
      text: `SELECT ${documentColumns} FROM documents WHERE key = $1`,
      values: [key],
    });
    return rows[0] ?? null;
  }

  /** Counts an opening and gives it the next index. Editors take a document back from `idle` and from closing. */
  async enter(entry: Entry): Promise<Entered> {
    for (let step = 1; ; step += 1) {
      try {
        const { rows } = await this.#pool.query<DocumentRow & { uniqueId: string }>({
          name: 'enter-document',
          text: enter,
          values: [
            entry.key,
            entry.editor,
            step,
            entry.userId,
            entry.userName,
            entry.callbackUrl,
            entry.baseUrl,
            entry.fileType,
            entry.title,
            entry.source.url,
            entry.source.vouched,
            entry.storeWithinMs ?? null,
            entry.routing ?? null,
            entry.tokenDigest ?? null,
          ],
        });
        const { uniqueId, ...row } = rows[0]!;
        return { row, uniqueId };
      } catch (error) {
        if ((error as { code?: string }).code !== uniqueViolation || step >= 100) throw error;
      }
    }
  }

  /**
   * A returning editor takes its document back while nothing was delivered. `baseUrl` is recorded where no editor has
   * said one yet. Returns the row as it is afterwards.
   */
  async resume(key: string, baseUrl: string | null = null): Promise<DocumentRow | null> {
    const { rows } = await this.#pool.query<DocumentRow>(
      `UPDATE documents SET
         epoch = epoch + CASE WHEN state IN ('idle', 'closing', 'assembling', 'failed') THEN 1 ELSE 0 END,
         state = CASE WHEN state IN ('idle', 'closing', 'assembling') THEN 'open'
                      WHEN state = 'failed' THEN 'opening' ELSE state END,
         base_url = CASE WHEN base_url = '' THEN coalesce($2::text, '') ELSE base_url END
       WHERE key = $1 RETURNING ${documentColumns}`,
      [key, baseUrl],
    );
    return rows[0] ?? null;
  }

  /**
   * An editor wants a document that is on its way to the integrator, delivered, or forgotten:
   * - a delivery that is not under way at this moment is called off and the session goes on with the old changes;
   * - a key that was delivered longer ago than it stays used up is opened anew;
   * - forgotten work is taken up again: from the assembled copy, or else from the base file and the log.
   * Otherwise the row is returned unchanged.
   */
  reopen(key: string, source: SourceAddress): Promise<DocumentRow> {
    return inTransaction(this.#pool, async (client) => {
      const locked = await client.query<DocumentRow & { usedUp: boolean }>(
        `SELECT ${documentColumns}, state_since > now() - interval '${usedUpFor}' AS "usedUp"
         FROM documents WHERE key = $1 FOR UPDATE`,
        [key],
      );
      const row = locked.rows[0]!;
      switch (row.state) {
        case 'delivering':
          return (await callOffDelivery(client, key)) ? setState(client, key, 'open') : row;
        case 'closed':
          return row.usedUp ? row : startAnew(client, key, null, source);
        case 'forgotten': {
          const kept = await client.query<{ result_hash: string | null }>(
            'SELECT result_hash FROM forgotten WHERE key = $1',
            [key],
          );
          const copy = kept.rows[0]?.result_hash ?? null;
          if (copy === null) return setState(client, key, 'open');
          // What the log holds is in the copy and in the archive beside it.
          await client.query('DELETE FROM batches WHERE key = $1', [key]);
          return startAnew(client, key, copy, source);
        }
        default:
          return row;
      }
    });
  }

  /**
   * Begins a document that nobody edits anew, from an address: what was opened before is not what is there now. Other
   * documents stay as they are.
   */
  renew(key: string, source: SourceAddress): Promise<void> {
    return inTransaction(this.#pool, async (client) => {
      const { rowCount } = await client.query(
        `SELECT FROM documents WHERE key = $1 AND state IN ('idle', 'closed', 'failed') FOR UPDATE`,
        [key],
      );
      if (rowCount === 1) await startAnew(client, key, null, source);
    });
  }

  /** Whether a final save of the document is on its way at this moment. */
  async isBeingDelivered(key: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `SELECT FROM saves WHERE key = $1 AND state = 'pending' AND status IN (2, 3) AND attempting_since IS NOT NULL`,
      [key],
    );
    return rowCount !== 0;
  }

  /** The source is opened: the document can be edited. */
  async opened(
    key: string,
    result: {
      sourceHash: string;
      model: string;
      fileType: string;
      editorsPresent: boolean;
      version?: SourceVersion;
      /** The docx that is edited in place of the source. */
      baseHash?: string | null;
      /** What the source had to be opened with. */
      options?: { variant: string; sealed: string | null };
    },
  ): Promise<DocumentRow | null> {
    const { rows } = await this.#pool.query<DocumentRow>(
      `UPDATE documents SET state = $2, state_since = now(), epoch = epoch + 1, source_hash = $3, model = $4,
         model_version = $6, file_type = $5, error_code = NULL, opened_at = now(),
         source_etag = $7, source_modified = $8, opening_options = $9, opened_variant = $10, base_hash = $11
       WHERE key = $1 AND state = 'opening' RETURNING ${documentColumns}`,
      [
        key,
        result.editorsPresent ? 'open' : 'idle',
        result.sourceHash,
        result.model,
        result.fileType,
        kinds.versionOf(result.model),
        result.version?.etag ?? null,
        result.version?.modified ?? null,
        result.options?.sealed ?? null,
        result.options?.variant ?? '',
        result.baseHash ?? null,
      ],
    );
    return rows[0] ?? null;
  }

  /** Gives an opened document a base, unless it has one: the first counts. Null when its source is another by now. */
  async settleBase(key: string, sourceHash: string, baseHash: string): Promise<string | null> {
    const { rows } = await this.#pool.query<{ baseHash: string }>(
      `UPDATE documents SET base_hash = coalesce(base_hash, $3) WHERE key = $1 AND source_hash = $2
       RETURNING base_hash AS "baseHash"`,
      [key, sourceHash, baseHash],
    );
    return rows[0]?.baseHash ?? null;
  }

  /**
   * The source is another one than was fetched, and nobody has changed or edits the document: it is opened anew. Null
   * when somebody was faster.
   */
  sourceChanged(row: Pick<DocumentRow, 'key' | 'epoch'>, source: SourceAddress): Promise<DocumentRow | null> {
    return inTransaction(this.#pool, async (client) => {
      const { rowCount } = await client.query(
        `SELECT FROM documents WHERE key = $1 AND epoch = $2 AND state = 'idle' AND next_index = 0 FOR UPDATE`,
        [row.key, row.epoch],
      );
      return rowCount === 1 ? startAnew(client, row.key, null, source) : null;
    });
  }

  /** Gives a document another title. Returns whether there is such a document. */
  async rename(key: string, title: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query('UPDATE documents SET title = $2 WHERE key = $1', [
      key,
      title,
    ]);
    return rowCount === 1;
  }

  /** Another kind of editor takes a document that has no changes yet. */
  async changeModel(key: string, model: string): Promise<DocumentRow | null> {
    const { rows } = await this.#pool.query<DocumentRow>(
      `UPDATE documents SET model = $2, model_version = $3 WHERE key = $1 AND next_index = 0
       RETURNING ${documentColumns}`,
      [key, model, kinds.versionOf(model)],
    );
    return rows[0] ?? null;
  }

  /** `source` is what was fetched and may yet be opened, with a password or with parameters. */
  async openingFailed(
    key: string,
    errorCode: number,
    source: { sourceHash: string; fileType: string } | null = null,
  ): Promise<void> {
    await this.#pool.query(
      `UPDATE documents SET state = 'failed', state_since = now(), epoch = epoch + 1, error_code = $2,
         source_hash = coalesce($3, source_hash), file_type = coalesce($4, file_type)
       WHERE key = $1 AND state = 'opening'`,
      [key, errorCode, source?.sourceHash ?? null, source?.fileType ?? null],
    );
  }

  /** Opens a document again that asked for a password or for parameters. Null when it is not in that state. */
  async openAgain(key: string, askedFor: readonly number[]): Promise<DocumentRow | null> {
    const { rows } = await this.#pool.query<DocumentRow>(
      `UPDATE documents SET state = 'opening', state_since = now(), epoch = epoch + 1
       WHERE key = $1 AND state = 'failed' AND error_code = ANY($2) RETURNING ${documentColumns}`,
      [key, askedFor],
    );
    return rows[0] ?? null;
  }

  /**
   * What came with an opening of the document's present log; null when there is none: openings end with the log. An opening
   * that is much younger than the session is another one with the same index, of a document that was removed and made anew.
   */
  async openingOf(
    key: string,
    userIndex: number,
    connectedAtMs: number,
  ): Promise<{ callbackUrl: string | null } | null> {
    const { rows } = await this.#pool.query<{ callbackUrl: string | null }>(
      `SELECT callback_url AS "callbackUrl" FROM openings WHERE key = $1 AND user_index = $2
         AND opened_at <= to_timestamp($3::float8 / 1000) + interval '30 minutes'`,
      [key, userIndex, connectedAtMs],
    );
    return rows[0] ?? null;
  }

  /** Whether more than one editor or viewer has opened the document since its log began. */
  async openedByMany(key: string): Promise<boolean> {
    const { rows } = await this.#pool.query<{ many: boolean }>({
      name: 'opened-by-many',
      text: 'SELECT count(*) > 1 AS many FROM (SELECT 1 FROM openings WHERE key = $1 LIMIT 2) AS opened',
      values: [key],
    });
    return rows[0]!.many;
  }

  /** The times of the newest saves that a user did not make, the newest first: two at most. */
  async newestSavesOfOthers(key: string, uniqueId: string): Promise<number[]> {
    const { rows } = await this.#pool.query<{ savedAt: Date }>(
      `SELECT saved_at AS "savedAt" FROM batches
       WHERE key = $1 AND unique_id <> $2 ORDER BY first_index DESC LIMIT 2`,
      [key, uniqueId],
    );
    return rows.map(({ savedAt }) => savedAt.getTime());
  }
}

/** Withdraws a pending save whose callback is not on its way right now. */
async function callOffDelivery(client: pg.PoolClient, key: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE saves SET state = 'superseded', ended_at = now()
     WHERE key = $1 AND state = 'pending' AND status IN (2, 3) AND attempting_since IS NULL`,
    [key],
  );
  return rowCount === 1;
}

/** Begins another life of a key: from a copy of forgotten storage, or from the address an opener gives. */
async function startAnew(
  client: pg.PoolClient,
  key: string,
  forgottenCopy: string | null,
  source: SourceAddress,
): Promise<DocumentRow> {
  await client.query('DELETE FROM checkpoints WHERE key = $1', [key]);
  await client.query(
    `UPDATE documents SET next_index = 0, source_hash = $2::text, base_hash = NULL,
       from_forgotten = $2::text IS NOT NULL,
       log_version = log_version + 1, stored_index = 0, stored_log_version = NULL, stored_at = NULL,
       unsaved_since = NULL, refused_since = NULL, source_etag = NULL, source_modified = NULL,
       model = NULL, model_version = NULL, opening_options = NULL, opened_variant = '',
       source_url = $3, source_vouched = $4
     WHERE key = $1`,
    [key, forgottenCopy, source.url, source.vouched],
  );
  return setState(client, key, 'opening');
}

async function setState(client: pg.PoolClient, key: string, state: DocumentStateName): Promise<DocumentRow> {
  const { rows } = await client.query<DocumentRow>(
    `UPDATE documents SET state = $2, state_since = now(), epoch = epoch + 1
     WHERE key = $1 RETURNING ${documentColumns}`,
    [key, state],
  );
  return rows[0]!;
}
