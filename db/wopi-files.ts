import type pg from 'pg';
import type { DocumentStateName } from './document-row.ts';
import { inTransaction } from './transaction.ts';

/** What a WOPI host says of a file, by which a change by others is noticed; null where it says nothing. */
export interface FileMarker {
  version: string | null;
  lastModified: string | null;
}

/** A file of a WOPI host that is, or was, edited under a key. */
export interface WopiFileRow extends FileMarker {
  key: string;
  /** The file's address at its host. */
  source: string;
  markedAt: Date;
  /** Whether the host takes locks for it. */
  supportsLocks: boolean;
  /** Since when our lock is held; null when it is not. */
  lockedAt: Date | null;
  refreshedAt: Date | null;
}

const columns = `key, source, version, last_modified AS "lastModified", marked_at AS "markedAt",
  supports_locks AS "supportsLocks", locked_at AS "lockedAt", refreshed_at AS "refreshedAt"`;

/** SQL: the document of a file is in one of these states. */
const isIn = (...states: DocumentStateName[]): string =>
  `EXISTS (SELECT FROM documents WHERE documents.key = wopi_files.key
     AND documents.state IN (${states.map((state) => `'${state}'`).join(', ')}))`;

/** SQL: somebody edits, or work of theirs is not delivered yet. */
const isAtWork = isIn('opening', 'open', 'closing', 'assembling', 'delivering');

/** Every table in which a document's key stands. */
const tablesWithKey = [
  'documents',
  'batches',
  'checkpoints',
  'openings',
  'dropped_users',
  'media',
  'saves',
  'forgotten',
];

const uniqueViolation = '23505';

/** Files of WOPI hosts: which key each has, what is known of it, and whether our lock is on it. */
export class WopiFiles {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async find(key: string): Promise<WopiFileRow | null> {
    const { rows } = await this.#pool.query<WopiFileRow>({
      name: 'find-wopi-file',
      text: `SELECT ${columns} FROM wopi_files WHERE key = $1`,
      values: [key],
    });
    return rows[0] ?? null;
  }

  /**
   * The key of a file: the one it has, else the wanted one, else (another file or a document of an integrator has that
   * one) the other one. Counts as a visit of its page.
   */
  async claim(
    source: string,
    wanted: string,
    otherwise: string,
    supportsLocks: boolean,
  ): Promise<WopiFileRow> {
    const known = await this.#visit(source, supportsLocks);
    if (known) return known;
    for (const key of [wanted, otherwise]) {
      try {
        const { rows } = await this.#pool.query<WopiFileRow>(
          `INSERT INTO wopi_files (key, source, supports_locks)
           SELECT $1::text, $2, $3 WHERE NOT EXISTS (SELECT FROM documents WHERE key = $1) RETURNING ${columns}`,
          [key, source, supportsLocks],
        );
        if (rows[0]) return rows[0];
      } catch (error) {
        if ((error as { code?: string }).code !== uniqueViolation) throw error;
        const claimed = await this.#visit(source, supportsLocks);
        if (claimed) return claimed;
      }
    }
    throw new Error(`No key is free for a file of a WOPI host (${otherwise})`);
  }

  async #visit(source: string, supportsLocks: boolean): Promise<WopiFileRow | null> {
    const { rows } = await this.#pool.query<WopiFileRow>(
      `UPDATE wopi_files SET visited_at = now(), supports_locks = $2 WHERE source = $1 RETURNING ${columns}`,
      [source, supportsLocks],
    );
    return rows[0] ?? null;
  }

  /** From now on our copy and the host's are the same. */
  async mark(key: string, { version, lastModified }: FileMarker): Promise<void> {
    await this.#pool.query(
      'UPDATE wopi_files SET version = $2, last_modified = $3, marked_at = now() WHERE key = $1',
      [key, version, lastModified],
    );
  }

  /** The host confirmed our lock. */
  async locked(key: string): Promise<void> {
    await this.#pool.query(
      `UPDATE wopi_files SET locked_at = coalesce(locked_at, now()), refreshed_at = now() WHERE key = $1`,
      [key],
    );
  }

  /** Our lock is given back, or lost. */
  async unlocked(key: string): Promise<void> {
    await this.#pool.query('UPDATE wopi_files SET locked_at = NULL, refreshed_at = NULL WHERE key = $1', [
      key,
    ]);
  }

  /**
   * Files whose lock was last confirmed longer ago while there is work on them, or is lost while somebody edits: all, or
   * the one with this key.
   */
  async dueForRefresh(olderThanMs: number, key: string | null = null): Promise<WopiFileRow[]> {
    const { rows } = await this.#pool.query<WopiFileRow>(
      `SELECT ${columns} FROM wopi_files
       WHERE supports_locks AND ($2::text IS NULL OR key = $2)
         AND (locked_at IS NULL AND ${isIn('open')}
           OR refreshed_at < now() - $1 * interval '1 millisecond' AND ${isAtWork})`,
      [olderThanMs, key],
    );
    return rows;
  }

  /** Locked files that nobody is at work on, and whose page nobody has opened for so long. */
  async leftLocked(idleForMs: number): Promise<WopiFileRow[]> {
    const { rows } = await this.#pool.query<WopiFileRow>(
      `SELECT ${columns} FROM wopi_files WHERE locked_at IS NOT NULL
         AND visited_at < now() - $1 * interval '1 millisecond' AND NOT ${isAtWork}`,
      [idleForMs],
    );
    return rows;
  }

  /**
   * Gives work in forgotten storage, and all that belongs to it, another key: its file can be opened anew and the work
   * stays where `getForgotten` finds it. Returns false when the document is not forgotten.
   */
  setAside(key: string, newKey: string): Promise<boolean> {
    return inTransaction(this.#pool, async (client) => {
      const { rowCount } = await client.query(
        `SELECT FROM documents WHERE key = $1 AND state = 'forgotten' FOR UPDATE`,
        [key],
      );
      if (rowCount !== 1) return false;
      for (const table of tablesWithKey) {
        await client.query(`UPDATE ${table} SET key = $2 WHERE key = $1`, [key, newKey]);
      }
      return true;
    });
  }
}
