import type pg from 'pg';
import type { Routing } from '../platform/ports/document-lifecycle.ts';
import { type DocumentRow, documentColumns } from './document-row.ts';
import { Gathering } from './gathering.ts';

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

/** How a document is entered anew: its row afterwards, and whether this entry is the first opening of its source. */
export interface Entered {
  row: DocumentRow;
  uniqueId: string;
  /** Blobs of pictures that editors have put in, by path. */
  media: Readonly<Record<string, string>>;
}

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
  SELECT ${documentColumns}, $4 || user_index AS "uniqueId",
    (SELECT jsonb_object_agg(path, hash) FROM media WHERE media.key = $1) AS media
  FROM document`;

/**
 * The same for documents that are open and that nobody has been sent away from, each once: they need not have been looked at before.
 * Counts nothing where that is not so. The SELECTs keep the number of documents from the planner, as in `Arrivals`.
 */
const enterOpen = `
  WITH document AS (
    UPDATE documents AS d SET
      user_index = user_index + 1,
      base_url = coalesce(given_base, base_url),
      routing = coalesce(given_routing::jsonb, routing),
      store_within_ms = least(store_within_ms, given_within),
      source_url = coalesce(source_url, given_source),
      source_vouched = CASE WHEN source_url IS NULL THEN given_vouched ELSE source_vouched END
    FROM unnest((SELECT $1::text[]), (SELECT $2::text[]), (SELECT $3::text[]), (SELECT $4::text[]), (SELECT $5::text[]),
      (SELECT $6::text[]), (SELECT $7::integer[]), (SELECT $8::text[]), (SELECT $9::boolean[]), (SELECT $10::text[]))
      AS entry (given_key, given_user, given_name, given_callback, given_base, given_routing, given_within, given_source,
        given_vouched, given_digest)
    WHERE key = given_key AND state = 'open' AND NOT EXISTS (SELECT FROM dropped_users AS dropped WHERE dropped.key = given_key)
    RETURNING *
  ), opening AS (
    INSERT INTO openings (key, user_index, user_id, unique_id, user_name, callback_url, token_digest)
    SELECT key, user_index, given_user, given_user || user_index, given_name, given_callback, given_digest FROM document
  )
  SELECT ${documentColumns}, given_user || user_index AS "uniqueId",
    (SELECT jsonb_object_agg(path, hash) FROM media WHERE media.key = document.key) AS media
  FROM document`;

const uniqueViolation = '23505';
const isTaken = (error: unknown): boolean => (error as { code?: string }).code === uniqueViolation;

type EnteredRow = DocumentRow & { uniqueId: string; media: Record<string, string> | null };

/** Entries into documents that nobody knows yet: none is counted for a document that is there by now. */
const enterMany = `
  WITH entry AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS entry (given_key text, given_user text, given_name text,
      given_callback text, given_base text, given_type text, given_title text, given_source text,
      given_vouched boolean, given_within integer, given_routing jsonb, given_digest text)
  ), document AS (
    INSERT INTO documents (key, state, user_index, file_type, title, base_url, source_url, source_vouched,
      store_within_ms, routing)
    SELECT given_key, 'opening', 1, given_type, given_title, coalesce(given_base, ''), given_source, given_vouched,
      given_within, given_routing
    FROM entry ORDER BY given_key
    ON CONFLICT (key) DO NOTHING
    RETURNING *
  ), opening AS (
    INSERT INTO openings (key, user_index, user_id, unique_id, user_name, callback_url, token_digest)
    SELECT given_key, 1, given_user, given_user || 1, given_name, given_callback, given_digest
    FROM entry JOIN document ON key = given_key
  )
  SELECT ${documentColumns}, given_user || 1 AS "uniqueId", NULL AS media FROM document JOIN entry ON key = given_key`;

/** Counts who comes to documents, in the documents table and that of openings. */
export class Entries {
  readonly #pool: pg.Pool;
  readonly #unknown: Gathering<Entry, Entered>;
  readonly #open: Gathering<Entry, Entered | null>;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#unknown = new Gathering({
      alone: (entry) => this.enter(entry),
      together: (entries) => this.#enterMany(entries),
      nameOf: ({ key }) => key,
    });
    this.#open = new Gathering({
      alone: (entry) => this.#enterOpenAlone(entry),
      together: (entries) => this.#enterOpen(entries),
      nameOf: ({ key }) => key,
    });
  }

  /** Enters a document that is likely to be a new one, together with others that are entered at the same time. */
  enterUnknown(entry: Entry): Promise<Entered> {
    return this.#unknown.do(entry);
  }

  async enter(entry: Entry): Promise<Entered> {
    for (let step = 1; ; step += 1) {
      try {
        const { rows } = await this.#pool.query<EnteredRow>({
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
        return enteredFrom(rows[0]!);
      } catch (error) {
        if (!isTaken(error) || step >= 100) throw error;
      }
    }
  }

  /** Enters a document that is open; null where it is not, or where it has to be looked at before. */
  enterOpen(entry: Entry): Promise<Entered | null> {
    return this.#open.do(entry);
  }

  async #enterOpenAlone(entry: Entry): Promise<Entered | null> {
    try {
      return (await this.#enterOpen([entry]))[0]!;
    } catch (error) {
      // Its unique id is somebody else's: the next index is another one.
      if (isTaken(error)) return null;
      throw error;
    }
  }

  async #enterOpen(entries: readonly Entry[]): Promise<(Entered | null)[]> {
    // Rows are locked in the same order by everybody.
    const inOrder = entries.toSorted((one, other) => (one.key < other.key ? -1 : 1));
    const all = <Value>(read: (entry: Entry) => Value) => inOrder.map(read);
    const { rows } = await this.#pool.query<EnteredRow>({
      name: 'enter-open-documents',
      text: enterOpen,
      values: [
        ...[all(({ key }) => key), all(({ userId }) => userId), all(({ userName }) => userName)],
        ...[all(({ callbackUrl }) => callbackUrl), all(({ baseUrl }) => baseUrl)],
        all(({ routing }) => (routing ? JSON.stringify(routing) : null)),
        ...[all(({ storeWithinMs }) => storeWithinMs ?? null), all(({ source }) => source.url)],
        ...[all(({ source }) => source.vouched), all(({ tokenDigest }) => tokenDigest ?? null)],
      ],
    });
    const byKey = new Map(rows.map((row) => [row.key, enteredFrom(row)]));
    return entries.map(({ key }) => byKey.get(key) ?? null);
  }

  async #enterMany(entries: readonly Entry[]): Promise<Entered[]> {
    const given = entries.map((entry) => ({
      given_key: entry.key,
      given_user: entry.userId,
      given_name: entry.userName,
      given_callback: entry.callbackUrl,
      given_base: entry.baseUrl,
      given_type: entry.fileType,
      given_title: entry.title,
      given_source: entry.source.url,
      given_vouched: entry.source.vouched,
      given_within: entry.storeWithinMs ?? null,
      given_routing: entry.routing ?? null,
      given_digest: entry.tokenDigest ?? null,
    }));
    const { rows } = await this.#pool.query<EnteredRow>({
      name: 'enter-documents',
      text: enterMany,
      values: [JSON.stringify(given)],
    });
    const byKey = new Map(rows.map((row) => [row.key, enteredFrom(row)]));
    // Somebody else was faster with those that are missing.
    return Promise.all(entries.map((entry) => byKey.get(entry.key) ?? this.enter(entry)));
  }
}

const enteredFrom = ({ uniqueId, media, ...row }: EnteredRow): Entered => ({
  row,
  uniqueId,
  media: media ?? {},
});
