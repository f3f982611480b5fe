import type pg from 'pg';
import { type DocumentRow, documentColumns } from './document-row.ts';
import { type Credential, type DroppedUser, isKeptOut } from './dropped-users.ts';
import { Gathering } from './gathering.ts';

/** What is known of a document when somebody comes to it. */
export interface Arrival {
  /** Null where there is no such document. */
  row: DocumentRow | null;
  /** Whether this user was sent away and has nothing newer to come in with; see `DroppedUsers`. */
  keepsOut(userId: string, credential: Credential): boolean;
}

type ArrivalRow = { [Column in keyof DocumentRow]: DocumentRow[Column] | null } & {
  wanted: string;
  dropped: DroppedUser[] | null;
};

/** Looks documents up for those who come to them: for all who come at the same moment at once. */
export class Arrivals {
  readonly #pool: Pick<pg.Pool, 'query'>;
  readonly #lookUps: Gathering<string, Arrival>;

  constructor(pool: Pick<pg.Pool, 'query'>) {
    this.#pool = pool;
    this.#lookUps = new Gathering({
      alone: async (key) => (await this.#find([key])).get(key)!,
      together: async (keys) => {
        const found = await this.#find([...new Set(keys)]);
        return keys.map((key) => found.get(key)!);
      },
    });
  }

  of(key: string): Promise<Arrival> {
    return this.#lookUps.do(key);
  }

  async #find(keys: readonly string[]): Promise<Map<string, Arrival>> {
    const { rows } = await this.#pool.query<ArrivalRow>({
      name: 'arrivals',
      // The SELECT keeps the number of keys from the planner, which would rather scan a table than look up many of them.
      text: `SELECT ${documentColumns}, wanted,
               (SELECT jsonb_agg(jsonb_build_object('userId', user_id, 'lastIndex', last_index,
                         'droppedAtS', floor(extract(epoch FROM dropped_at)), 'digests', token_digests))
                FROM dropped_users WHERE dropped_users.key = wanted) AS dropped
             FROM unnest((SELECT $1::text[])) AS wanted LEFT JOIN documents ON documents.key = wanted`,
      values: [keys],
    });
    return new Map(rows.map((row) => [row.wanted, arrivalFrom(row)]));
  }
}

function arrivalFrom({ wanted: _wanted, dropped, ...row }: ArrivalRow): Arrival {
  return {
    row: row.key === null ? null : (row as DocumentRow),
    keepsOut: (userId, credential) => isKeptOut(dropped ?? [], userId, credential),
  };
}
