import type pg from 'pg';
import { removePast } from './removal.ts';

/** Somebody who opened the page of an editor for a file of a WOPI host. */
export interface WopiSessionRow {
  id: string;
  key: string;
  /** The file's address at its host. */
  source: string;
  accessToken: string;
  /** Null: the host did not say. */
  expiresAt: Date | null;
  /** May write to the host. */
  writes: boolean;
  /** The host's answer to CheckFileInfo. */
  fileInfo: Record<string, unknown>;
  createdAt: Date;
}

const columns = `id, key, source, access_token AS "accessToken", expires_at AS "expiresAt", writes,
  file_info AS "fileInfo", created_at AS "createdAt"`;

/** Keeps texts so that who reads the database cannot read them. */
interface Seal {
  seal(text: string, context: string): string;
  /** Null when it was sealed by another server's secrets. */
  open(sealed: string, context: string): string | null;
}

const context = 'access token of a WOPI session';

/** Sessions of people whose files are at WOPI hosts. Access tokens are kept sealed. */
export class WopiSessions {
  readonly #pool: pg.Pool;
  readonly #sealing: Seal;

  constructor(pool: pg.Pool, sealing: Seal) {
    this.#pool = pool;
    this.#sealing = sealing;
  }

  async add(session: Omit<WopiSessionRow, 'createdAt'>): Promise<void> {
    await this.#pool.query(
      `INSERT INTO wopi_sessions (id, key, source, access_token, expires_at, writes, file_info)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        session.id,
        session.key,
        session.source,
        this.#sealing.seal(session.accessToken, context),
        session.expiresAt,
        session.writes,
        JSON.stringify(session.fileInfo),
      ],
    );
  }

  async find(id: string): Promise<WopiSessionRow | null> {
    const { rows } = await this.#pool.query<WopiSessionRow>({
      name: 'find-wopi-session',
      text: `SELECT ${columns} FROM wopi_sessions WHERE id = $1`,
      values: [id],
    });
    return rows[0] ? this.#opened(rows[0]) : null;
  }

  /**
   * Sessions whose tokens may write to a document's file: the given one first, then the newest. Those with an expired token
   * come last: hosts may accept it all the same.
   */
  async writersOf(key: string, first: string | null, limit: number): Promise<WopiSessionRow[]> {
    const { rows } = await this.#pool.query<WopiSessionRow>(
      `SELECT ${columns} FROM wopi_sessions WHERE key = $1 AND writes
       ORDER BY coalesce(expires_at <= now(), false), (id = $2) DESC NULLS LAST, created_at DESC LIMIT $3`,
      [key, first, limit],
    );
    return rows.map((row) => this.#opened(row));
  }

  /** Removes sessions so old that nobody can be in them, except of documents with work that is not delivered. */
  async sweep(olderThanMs: number): Promise<void> {
    await removePast(
      this.#pool,
      'wopi_sessions',
      'id',
      `created_at < now() - $1 * interval '1 millisecond'
         AND NOT EXISTS (SELECT FROM documents WHERE documents.key = wopi_sessions.key
           AND documents.state IN ('opening', 'open', 'closing', 'assembling', 'delivering'))`,
      [olderThanMs],
    );
  }

  /** A token that cannot be opened is as good as one that the host does not take. */
  #opened(row: WopiSessionRow): WopiSessionRow {
    return { ...row, accessToken: this.#sealing.open(row.accessToken, context) ?? '' };
  }
}
