import type pg from 'pg';

/** A picture that is put into a document. */
export interface NewPicture {
  path: string;
  hash: string;
  bytes: number;
  /** Who puts it in, by the integrator's id. */
  userId: string;
}

/** Most pictures that one document may have, and of them one person may put in. */
export interface MediaLimits {
  document: { count: number; bytes: number };
  person: { count: number; bytes: number };
}

const numbersOf = ({ document, person }: MediaLimits): number[] => [
  document.count,
  document.bytes,
  person.count,
  person.bytes,
];

/** SQL: whether picture `$2` of `$3` bytes by user `$4` may be put into document `$1`: it has it, or the limits `$5` to `$8` allow it. */
const hasRoom = `
  EXISTS (SELECT FROM media WHERE key = $1 AND path = $2) OR (
    SELECT count(*) < $5 AND coalesce(sum(bytes), 0) + $3::bigint <= $6::bigint
       AND count(*) FILTER (WHERE user_id = $4) < $7
       AND coalesce(sum(bytes) FILTER (WHERE user_id = $4), 0) + $3::bigint <= $8::bigint
    FROM media WHERE key = $1
  )`;

/** Pictures that editors uploaded into documents, as blobs by path. They are kept as long as the change log. */
export class Media {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Whether a picture may be added. */
  async takes(key: string, { path, bytes, userId }: NewPicture, limits: MediaLimits): Promise<boolean> {
    const { rows } = await this.#pool.query<{ takes: boolean }>(`SELECT ${hasRoom} AS takes`, [
      key,
      path,
      bytes,
      userId,
      ...numbersOf(limits),
    ]);
    return rows[0]!.takes;
  }

  /** Adds a picture, where there is room for it. Returns whether it is there. */
  async add(key: string, { path, hash, bytes, userId }: NewPicture, limits: MediaLimits): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `INSERT INTO media (key, path, hash, bytes, user_id)
       SELECT $1, $2, $9, $3::bigint, $4 WHERE ${hasRoom}
       ON CONFLICT (key, path) DO UPDATE SET hash = excluded.hash`,
      [key, path, bytes, userId, ...numbersOf(limits), hash],
    );
    return (rowCount ?? 0) > 0;
  }

  /** Blob hashes by path. */
  async of(key: string): Promise<Readonly<Record<string, string>>> {
    const { rows } = await this.#pool.query<{ path: string; hash: string }>({
      name: 'media-of-document',
      text: 'SELECT path, hash FROM media WHERE key = $1',
      values: [key],
    });
    return Object.fromEntries(rows.map(({ path, hash }) => [path, hash]));
  }
}
