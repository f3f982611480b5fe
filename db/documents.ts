import type pg from 'pg';
import { kinds } from '../model/kinds.ts';
import { type DocumentRow, type DocumentStateName, documentColumns } from './document-row.ts';
import { type Entered, Entries, type Entry, type SourceAddress } from './entries.ts';
import { Gathering } from './gathering.ts';
import { inTransaction } from './transaction.ts';

/** What the host of a source calls the version that it gave: the values of `ETag` and `Last-Modified`. */
export interface SourceVersion {
  etag: string | null;
  modified: string | null;
}

/** A source that is opened, and for which document. */
interface Opened {
  key: string;
  sourceHash: string;
  model: string;
  fileType: string;
  editorsPresent: boolean;
  version?: SourceVersion;
  /** The docx that is edited in place of the source. */
  baseHash?: string | null;
  /** What the source had to be opened with. */
  options?: { variant: string; sealed: string | null };
}

/** How long the key of a delivered document stays used up, as a PostgreSQL interval. */
const usedUpFor = '5 minutes';

/** The documents table: every change of a document's state is made here, in one transaction with what justifies it. */
export class Documents {
  readonly #pool: pg.Pool;
  readonly #entries: Entries;
  readonly #openings: Gathering<Opened, DocumentRow | null>;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#entries = new Entries(pool);
    this.#openings = new Gathering({
      alone: async (opened) => (await this.#markOpened([opened])).get(opened.key) ?? null,
      together: async (openings) => {
        const rows = await this.#markOpened(openings);
        return openings.map(({ key }) => rows.get(key) ?? null);
      },
      nameOf: ({ key }) => key,
    });
  }

  async find(key: string): Promise<DocumentRow | null> {
    const { rows } = await this.#pool.query<DocumentRow>({
      name: 'find-document',
      text: `SELECT ${documentColumns} FROM documents WHERE key = $1`,
      values: [key],
    });
    return rows[0] ?? null;
  }

  /**
   * Counts an opening and gives it the next index. Editors take a document back from `idle` and from closing.
   * `isUnknown`: there was no such document a moment ago.
   */
  enter(entry: Entry, { isUnknown = false } = {}): Promise<Entered> {
    return isUnknown ? this.#entries.enterUnknown(entry) : this.#entries.enter(entry);
  }

  /** Counts an opening of a document that is open and that nobody has been sent away from; null where that is not so. */
  enterOpen(entry: Entry): Promise<Entered | null> {
    return this.#entries.enterOpen(entry);
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

  /** The source is opened: the document can be edited. Null where it was not waiting for that any more. */
  opened(key: string, result: Omit<Opened, 'key'>): Promise<DocumentRow | null> {
    return this.#openings.do({ key, ...result });
  }

  /** The rows of those that were waiting for it, by key. */
  async #markOpened(openings: readonly Opened[]): Promise<Map<string, DocumentRow>> {
    const given = openings.map(({ editorsPresent, version, options, baseHash, ...opened }) => ({
      given_key: opened.key,
      given_state: editorsPresent ? 'open' : 'idle',
      given_hash: opened.sourceHash,
      given_model: opened.model,
      given_version: kinds.versionOf(opened.model),
      given_type: opened.fileType,
      given_etag: version?.etag ?? null,
      given_modified: version?.modified ?? null,
      given_options: options?.sealed ?? null,
      given_variant: options?.variant ?? '',
      given_base: baseHash ?? null,
    }));
    const { rows } = await this.#pool.query<DocumentRow>({
      name: 'documents-opened',
      text: `UPDATE documents SET state = given_state, state_since = now(), epoch = epoch + 1,
         source_hash = given_hash, model = given_model, model_version = given_version, file_type = given_type,
         error_code = NULL, opened_at = now(), source_etag = given_etag, source_modified = given_modified,
         opening_options = given_options, opened_variant = given_variant, base_hash = given_base
       FROM jsonb_to_recordset($1::jsonb) AS given (given_key text, given_state text, given_hash text,
         given_model text, given_version integer, given_type text, given_etag text, given_modified text,
         given_options text, given_variant text, given_base text)
       WHERE key = given_key AND state = 'opening' RETURNING ${documentColumns}`,
      values: [JSON.stringify(given)],
    });
    return new Map(rows.map((row) => [row.key, row]));
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

  /** The newest callback addresses of documents that are being edited, of the one that was opened last first, so many at most. */
  async callbacksOfOpen(most: number): Promise<{ key: string; callbackUrl: string }[]> {
    const { rows } = await this.#pool.query<{ key: string; callbackUrl: string }>(
      `SELECT key, callback_url AS "callbackUrl" FROM documents CROSS JOIN LATERAL
         (SELECT callback_url FROM openings WHERE openings.key = documents.key AND callback_url IS NOT NULL
          ORDER BY user_index DESC LIMIT 1) AS newest
       WHERE state = 'open' ORDER BY state_since DESC LIMIT $1`,
      [most],
    );
    return rows;
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
