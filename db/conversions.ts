import type pg from 'pg';
import { removePast } from './removal.ts';

/** A stored conversion. Passwords of its options are in `passwords`, encrypted. */
export interface ConversionRow {
  id: string;
  sourceHash: string;
  fromType: string;
  toType: string;
  options: Record<string, unknown>;
  /** Blobs of the files that the source names, by their paths. */
  media: Readonly<Record<string, string>>;
  passwords: string | null;
  state: 'waiting' | 'made' | 'failed';
  resultHash: string | null;
  resultType: string | null;
  errorCode: number | null;
  message: string | null;
  /** Rises when it is to be made again. */
  attempt: number;
}

/** How far a conversion is that is not made yet; `stage` null: it waits for a converter. */
export interface ProgressRow {
  id: string;
  attempt: number;
  stage: string | null;
  /** What is done of it, 0 to 1. */
  share: number;
}

export type WantedConversion = Pick<
  ConversionRow,
  'id' | 'sourceHash' | 'fromType' | 'toType' | 'options' | 'media' | 'passwords'
>;

/**
 * How a conversion ended. `storedBytes`: what source and result take together. `lasting`: another attempt would end in the
 * same way.
 */
export type ConversionEnd =
  | { resultHash: string; resultType: string; storedBytes: number }
  | { errorCode: number; message: string; lasting: boolean };

/** How long results are kept unless something else is said, milliseconds (integration API, 9.3). */
export const usualCacheMs = 86_400_000;
/** After this an attempt is made again where the failure said more of the converter than of the file. */
const passingFor = '1 minute';

const columns = `id, source_hash AS "sourceHash", from_type AS "fromType", to_type AS "toType", options, media, passwords, state,
  result_hash AS "resultHash", result_type AS "resultType", error_code AS "errorCode", message, attempt`;

/** SQL: `$8` is how long results are kept, milliseconds. */
const isPast = `(c.ended_at < now() - $8 * interval '1 millisecond'
  OR (NOT c.lasting AND c.ended_at < now() - interval '${passingFor}'))`;

/** Conversions and their results: the same content is converted once. */
export class ConversionRecords {
  readonly #pool: pg.Pool;
  readonly #keptForMs: number;

  /** `keptForMs`: results are made anew after it. */
  constructor(pool: pg.Pool, keptForMs = usualCacheMs) {
    this.#pool = pool;
    this.#keptForMs = keptForMs;
  }

  /** The stored conversion; it is stored if it was not. One with a result that is too old is made again. */
  async wanted(conversion: WantedConversion): Promise<ConversionRow> {
    const { rows } = await this.#pool.query<ConversionRow>(
      `INSERT INTO conversions AS c (id, source_hash, from_type, to_type, options, passwords, media)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (id) DO UPDATE SET
         asked_at = now(),
         passwords = excluded.passwords,
         state = CASE WHEN ${isPast} THEN 'waiting' ELSE c.state END,
         attempt = c.attempt + CASE WHEN ${isPast} THEN 1 ELSE 0 END,
         stage = CASE WHEN ${isPast} THEN NULL ELSE c.stage END,
         progress = CASE WHEN ${isPast} THEN 0 ELSE c.progress END,
         ended_at = CASE WHEN ${isPast} THEN NULL ELSE c.ended_at END
       RETURNING ${columns}`,
      [
        conversion.id,
        conversion.sourceHash,
        conversion.fromType,
        conversion.toType,
        JSON.stringify(conversion.options),
        conversion.passwords,
        JSON.stringify(conversion.media),
        this.#keptForMs,
      ],
    );
    return rows[0]!;
  }

  async find(id: string): Promise<ConversionRow | null> {
    const { rows } = await this.#pool.query<ConversionRow>(
      `SELECT ${columns} FROM conversions WHERE id = $1`,
      [id],
    );
    return rows[0] ?? null;
  }

  /** Records how far a conversion is that is being made; the share of what is done, 0 to 1, never falls. */
  async progressed(id: string, stage: string, share: number): Promise<void> {
    await this.#pool.query(
      `UPDATE conversions SET stage = $2, progress = greatest(progress, $3) WHERE id = $1 AND state = 'waiting'`,
      [id, stage, share],
    );
  }

  /** How far a conversion is; null when it has ended. */
  async progressOf(id: string): Promise<ProgressRow | null> {
    const { rows } = await this.#pool.query<ProgressRow>(
      `SELECT id, attempt, stage, progress AS share FROM conversions WHERE id = $1 AND state = 'waiting'`,
      [id],
    );
    return rows[0] ?? null;
  }

  /** Records the end of a conversion; the passwords are not needed any more. */
  async end(id: string, end: ConversionEnd): Promise<void> {
    const made = 'resultHash' in end ? end : null;
    const failed = 'errorCode' in end ? end : null;
    await this.#pool.query(
      `UPDATE conversions SET state = $2, result_hash = $3, result_type = $4, error_code = $5, message = $6,
         lasting = $7, stored_bytes = $8, passwords = NULL, ended_at = now()
       WHERE id = $1`,
      [
        id,
        made ? 'made' : 'failed',
        made?.resultHash ?? null,
        made?.resultType ?? null,
        failed?.errorCode ?? null,
        failed?.message ?? null,
        failed?.lasting ?? true,
        made?.storedBytes ?? null,
      ],
    );
  }

  /** Forgets what nobody has asked for that long. Blobs stay: documents may have the same content. */
  async forgetOld(): Promise<void> {
    const past = `asked_at < now() - $1 * interval '1 millisecond'`;
    await removePast(this.#pool, 'conversions', 'id', past, [this.#keptForMs]);
  }
}

/** A conversion as operators see it. */
export interface ConversionOverview {
  id: string;
  fromType: string;
  toType: string;
  state: 'waiting' | 'made' | 'failed';
  askedAt: Date;
  endedAt: Date | null;
  attempt: number;
  errorCode: number | null;
  message: string | null;
}

/** Conversions that wait or are being made, the oldest first, and after them those that failed, the newest first. */
export async function conversionsAtWork(pool: pg.Pool, limit: number): Promise<ConversionOverview[]> {
  const { rows } = await pool.query<ConversionOverview>(
    `SELECT id, from_type AS "fromType", to_type AS "toType", state, asked_at AS "askedAt", ended_at AS "endedAt",
       attempt, error_code AS "errorCode", message
     FROM conversions WHERE state <> 'made'
     ORDER BY state = 'failed', CASE WHEN state = 'waiting' THEN asked_at END, ended_at DESC LIMIT $1`,
    [limit],
  );
  return rows;
}
