import type pg from 'pg';
import type { StoredMetrics } from '../platform/metrics/lifecycle.ts';
import { type DocumentStateName, storedIndex } from './document-row.ts';
import type { Sql } from './pool.ts';

/** A document as operators see it. */
export interface DocumentOverview {
  key: string;
  title: string;
  fileType: string;
  model: string | null;
  state: DocumentStateName;
  stateSince: Date;
  openedAt: Date | null;
  /** Changes in its log. */
  changes: number;
  /** How many of them the integrator has. */
  storedChanges: number;
  storedAt: Date | null;
  /** Since when the integrator lacks something of it; null: it has everything. */
  unsavedSince: Date | null;
  /** Since when the integrator has taken no file of it. */
  refusedSince: Date | null;
  errorCode: number | null;
  fromForgotten: boolean;
}

/** More of one document. Addresses are complete: the caller decides how much of them is shown. */
export interface DocumentParticulars extends DocumentOverview {
  logBytes: number;
  sourceUrl: string | null;
  sourceHash: string | null;
  callbackUrl: string | null;
}

/** A document of which the integrator lacks something, with the save that is to be delivered. */
export interface StoredUnsaved {
  key: string;
  title: string;
  since: Date;
  state: DocumentStateName;
  /** Why the last attempt to deliver it failed; null when it was not tried, or nothing is to be delivered. */
  lastError: string | null;
  nextAttemptAt: Date | null;
  isDelivering: boolean;
}

export const documentOrders = ['recent', 'unsaved', 'key'] as const;

interface DocumentSearch {
  /** Part of a key or of a title; empty finds all. */
  text: string;
  /** Null: in any state. */
  states: readonly DocumentStateName[] | null;
  /** Documents that count as in one of these states. */
  alsoKeys: readonly string[];
  order: (typeof documentOrders)[number];
  limit: number;
  offset: number;
}

const columns = `key, title, file_type AS "fileType", model, state, state_since AS "stateSince",
  opened_at AS "openedAt", next_index AS changes, ${storedIndex} AS "storedChanges", stored_at AS "storedAt",
  unsaved_since AS "unsavedSince", refused_since AS "refusedSince", error_code AS "errorCode",
  from_forgotten AS "fromForgotten"`;

const orders: Readonly<Record<DocumentSearch['order'], string>> = {
  recent: 'state_since DESC, key',
  unsaved: 'unsaved_since NULLS LAST, key',
  key: 'key',
};

/** Stored documents as operators see them. */
export class DocumentOverviews {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async search(search: DocumentSearch): Promise<{ total: number; documents: DocumentOverview[] }> {
    const { text, states, alsoKeys, order, limit, offset } = search;
    const pattern = text === '' ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`;
    const matching = `($1::text IS NULL OR key ILIKE $1 OR title ILIKE $1)
      AND ($2::text[] IS NULL OR state = ANY($2) OR key = ANY($3))`;
    const [counted, found] = await Promise.all([
      this.#pool.query<{ total: number }>(`SELECT count(*)::int AS total FROM documents WHERE ${matching}`, [
        pattern,
        states,
        alsoKeys,
      ]),
      this.#pool.query<DocumentOverview>(
        `SELECT ${columns} FROM documents WHERE ${matching} ORDER BY ${orders[order]} LIMIT $4 OFFSET $5`,
        [pattern, states, alsoKeys, limit, offset],
      ),
    ]);
    return { total: counted.rows[0]!.total, documents: found.rows };
  }

  async find(key: string): Promise<DocumentParticulars | null> {
    const { rows } = await this.#pool.query<DocumentParticulars>(
      `SELECT ${columns}, source_url AS "sourceUrl", source_hash AS "sourceHash",
         (SELECT coalesce(sum(octet_length(changes)), 0)::float8 FROM batches
          WHERE batches.key = documents.key) AS "logBytes",
         (SELECT callback_url FROM openings WHERE openings.key = documents.key
          ORDER BY callback_url IS NULL, user_index DESC LIMIT 1) AS "callbackUrl"
       FROM documents WHERE key = $1`,
      [key],
    );
    return rows[0] ?? null;
  }

  /** How many documents there are in each state. */
  async counts(): Promise<Partial<Record<DocumentStateName, number>>> {
    const { rows } = await this.#pool.query<{ state: DocumentStateName; count: number }>(
      'SELECT state, count(*)::int AS count FROM documents GROUP BY state',
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  }

  /**
   * Documents of which the integrator lacks something: those whose last attempt failed come first, then the oldest. `limit`:
   * how many are described.
   */
  async unsaved(
    limit: number,
  ): Promise<{ total: number; oldestSince: Date | null; documents: StoredUnsaved[] }> {
    const [all, shown] = await Promise.all([
      this.#pool.query<{ total: number; oldestSince: Date | null }>(
        `SELECT count(*)::int AS total, min(unsaved_since) AS "oldestSince" FROM documents
         WHERE unsaved_since IS NOT NULL`,
      ),
      this.#pool.query<StoredUnsaved>(
        `SELECT documents.key, title, unsaved_since AS since, documents.state, last.last_error AS "lastError",
           CASE WHEN last.attempting_since IS NULL THEN last.next_attempt_at END AS "nextAttemptAt",
           last.id IS NOT NULL AS "isDelivering"
         FROM documents LEFT JOIN LATERAL (
           SELECT * FROM saves WHERE saves.key = documents.key AND saves.state = 'pending' AND saves.status <> 4
           ORDER BY saves.id DESC LIMIT 1) AS last ON true
         WHERE unsaved_since IS NOT NULL
         ORDER BY last.last_error IS NULL AND documents.state <> 'forgotten', documents.state = 'open', unsaved_since
         LIMIT $1`,
        [limit],
      ),
    ]);
    return { ...all.rows[0]!, documents: shown.rows };
  }
}

/**
 * Counts documents and callbacks. It reads the whole of an index: not for every request. One query comes after the other, so
 * that those who ask for metrics take one connection.
 */
export async function readStoredMetrics(sql: Sql): Promise<StoredMetrics> {
  const documents = await sql.query<{ state: string; count: number }>(
    'SELECT state, count(*)::int AS count FROM documents GROUP BY state',
  );
  const outbox = await sql.query<StoredMetrics['outbox']>(
    `SELECT count(*) FILTER (WHERE next_attempt_at <= now())::int AS due,
       count(*) FILTER (WHERE next_attempt_at > now())::int AS waiting,
       coalesce(extract(epoch FROM now() - min(created_at)) * 1000, 0)::float8 AS "oldestMs"
     FROM saves WHERE state = 'pending'`,
  );
  return {
    documents: Object.fromEntries(documents.rows.map(({ state, count }) => [state, count])),
    outbox: outbox.rows[0]!,
  };
}
