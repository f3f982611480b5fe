import type pg from 'pg';

/** What somebody brings who comes to a document: a session of it, or what the integrator signed. */
export type Credential =
  | { userIndex: number }
  | {
      /** Of the token; null where there is none. */
      digest: string | null;
      /** When it was signed, seconds since 1970; null where it does not say. */
      signedAtS: number | null;
    };

/** Somebody who was sent away, and what they held then. */
export interface DroppedUser {
  userId: string;
  /** When the command to send them away was signed; where it does not say, when it came. */
  droppedAtS: number;
  lastIndex: number;
  digests: string[];
}

/**
 * Users whom the integrator has sent away from a document. They stay out with what they held then: their sessions, the
 * tokens they came with, and tokens that were signed before. A token that says no time and is not one of those lets in.
 */
export class DroppedUsers {
  readonly #pool: Pick<pg.Pool, 'query'>;

  constructor(pool: Pick<pg.Pool, 'query'>) {
    this.#pool = pool;
  }

  /**
   * Sends users away: those of these ids, or with null all who have opened the document.
   *
   * @param saidAtS when the integrator signed that they go, by its own clock, by which it signs the tokens of those who come too;
   *   null where it does not say: then it is now, by ours
   */
  async add(key: string, userIds: readonly string[] | null, saidAtS: number | null = null): Promise<void> {
    await this.#pool.query(
      `INSERT INTO dropped_users AS d (key, user_id, dropped_at, last_index, token_digests)
       SELECT $1, u.id, coalesce(to_timestamp($3::float8), now()), doc.user_index, coalesce(o.digests, '{}')
       FROM documents AS doc
       CROSS JOIN (SELECT unnest($2::text[]) AS id WHERE $2 IS NOT NULL
                   UNION SELECT user_id FROM openings WHERE key = $1 AND $2 IS NULL) AS u
       LEFT JOIN (SELECT user_id, array_agg(DISTINCT token_digest) AS digests FROM openings
                  WHERE key = $1 AND token_digest IS NOT NULL GROUP BY user_id) AS o ON o.user_id = u.id
       WHERE doc.key = $1
       ON CONFLICT (key, user_id) DO UPDATE SET dropped_at = excluded.dropped_at, last_index = excluded.last_index,
         token_digests = ARRAY(SELECT DISTINCT unnest(d.token_digests || excluded.token_digests))`,
      [key, userIds, saidAtS],
    );
  }

  /** Whether somebody was sent away and has nothing newer to come in with. */
  async keepsOut(key: string, userId: string, credential: Credential): Promise<boolean> {
    const { rows } = await this.#pool.query<DroppedUser>({
      name: 'dropped-users',
      text: `SELECT user_id AS "userId", floor(extract(epoch FROM dropped_at))::float8 AS "droppedAtS",
               last_index AS "lastIndex", token_digests AS digests
             FROM dropped_users WHERE key = $1`,
      values: [key],
    });
    return isKeptOut(rows, userId, credential);
  }
}

/** Whether one of those who were sent away is this user, who has nothing newer to come in with. */
export const isKeptOut = (dropped: readonly DroppedUser[], userId: string, credential: Credential): boolean =>
  dropped.some((one) => isKeptOutBy(one, userId, credential));

function isKeptOutBy(dropped: DroppedUser, userId: string, credential: Credential): boolean {
  const isSame = dropped.userId === userId;
  if ('userIndex' in credential) return isSame && credential.userIndex <= dropped.lastIndex;
  const { digest, signedAtS } = credential;
  // A token may leave open whose it is, and then be shown under another name.
  if (digest !== null && dropped.digests.includes(digest)) return true;
  return isSame && signedAtS !== null && signedAtS < dropped.droppedAtS;
}
