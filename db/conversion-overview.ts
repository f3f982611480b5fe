import type pg from 'pg';

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
