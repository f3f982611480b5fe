import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { QuireProcess } from '../quire-process.ts';
import { startRedis, type TestRedis } from '../redis.ts';
import { WopiTestHost } from '../wopi-host.ts';
import { Listeners } from './addresses.ts';
import type { AuditedRow } from './judge.ts';

/** The secret of the integrator, who signs every token here. */
export const secret = 'a secret of the rights that is long enough for every algorithm';

const settings = {
  JWT_SECRET: secret,
  TRUST_PROXY: 'none',
  EXAMPLE_ENABLED: 'false',
  WOPI_ENABLED: 'true',
  CLOSING_GRACE_MS: '50',
  RECONNECT_GRACE_MS: '1000',
  CALLBACK_RETRY_PAUSE_MS: '200',
  CALLBACK_RETRY_FOR_MS: '2000',
  NODE_LEASE_MS: '10000',
  LOG_LEVEL: 'info',
};

/** Triggers that keep who set which address, and every change, also of transactions whose rows are gone since. */
const triggers = `
  CREATE TABLE rights_audit (id bigserial PRIMARY KEY, key text NOT NULL, tab text NOT NULL, op text NOT NULL, row jsonb NOT NULL);
  CREATE INDEX ON rights_audit (key text_pattern_ops);
  CREATE FUNCTION keep_rights() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      INSERT INTO rights_audit (key, tab, op, row) VALUES (OLD.key, TG_TABLE_NAME, TG_OP, to_jsonb(OLD) - 'changes');
    ELSE
      INSERT INTO rights_audit (key, tab, op, row) VALUES (NEW.key, TG_TABLE_NAME, TG_OP, to_jsonb(NEW));
    END IF;
    RETURN NULL;
  END $body$;
  CREATE TRIGGER rights AFTER INSERT OR UPDATE OR DELETE ON batches FOR EACH ROW EXECUTE FUNCTION keep_rights();
  CREATE TRIGGER rights AFTER INSERT OR UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION keep_rights();
  CREATE TRIGGER rights AFTER INSERT OR UPDATE ON openings FOR EACH ROW EXECUTE FUNCTION keep_rights();
  CREATE TRIGGER rights AFTER INSERT OR UPDATE ON saves FOR EACH ROW EXECUTE FUNCTION keep_rights();`;

/** Real servers with tokens on, their database with an audit, an integrator and a trap. */
export class RightsWorld {
  readonly nodes: readonly QuireProcess[];
  readonly listeners: Listeners;
  /** A WOPI host, which the servers use too. */
  readonly host: WopiTestHost;
  readonly #pool: pg.Pool;
  readonly #redis: TestRedis | null;
  readonly #blobDir: string;

  private constructor(of: {
    nodes: readonly QuireProcess[];
    listeners: Listeners;
    host: WopiTestHost;
    pool: pg.Pool;
    redis: TestRedis | null;
    blobDir: string;
  }) {
    this.nodes = of.nodes;
    this.listeners = of.listeners;
    this.host = of.host;
    this.#pool = of.pool;
    this.#redis = of.redis;
    this.#blobDir = of.blobDir;
  }

  /** `databaseUrl`: a migrated database that nobody else uses. */
  static async start(databaseUrl: string, count = 1): Promise<RightsWorld> {
    const blobDir = await mkdtemp(path.join(os.tmpdir(), 'quire-rights-blobs-'));
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 });
    const listeners = await Listeners.start();
    const host = await WopiTestHost.start();
    const redis = count > 1 ? await startRedis() : null;
    const nodes: QuireProcess[] = [];
    const world = new RightsWorld({ nodes, listeners, host, pool, redis, blobDir });
    try {
      await pool.query(triggers);
      for (let number = 0; number < count; number += 1) {
        nodes.push(
          await QuireProcess.start({
            ...settings,
            DATABASE_URL: databaseUrl,
            BLOB_DIR: blobDir,
            WOPI_HOSTS: host.address,
            CONVERTER_PROCESSES: number === 0 ? '1' : '0',
            ...(redis && { REDIS_URL: redis.url }),
          }),
        );
      }
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  get baseUrls(): string[] {
    return this.nodes.map(({ address }) => address);
  }

  /** What was written of documents whose keys begin so, since it was last asked for. */
  async takeRows(prefix: string): Promise<AuditedRow[]> {
    const { rows } = await this.#pool.query<AuditedRow & { id: string }>(
      `WITH taken AS (DELETE FROM rights_audit WHERE key LIKE $1 RETURNING id, tab AS table, op, row)
       SELECT id, "table", op, row FROM taken ORDER BY id`,
      [`${prefix}%`],
    );
    return rows;
  }

  /** Whether a document has changes that are not at its owner's yet. */
  async isUnderWay(key: string): Promise<boolean> {
    const { rows } = await this.#pool.query(
      `SELECT FROM documents
       WHERE key = $1 AND (state IN ('closing', 'assembling', 'delivering') OR state = 'open' AND next_index > 0)`,
      [key],
    );
    return rows.length > 0;
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.remove()));
    await this.#redis?.stop();
    await this.listeners.close();
    await this.host.close();
    await this.#pool.end();
    await rm(this.#blobDir, { recursive: true, force: true });
  }
}
