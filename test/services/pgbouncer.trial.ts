import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresChangeLog } from '../../db/change-log.ts';
import { checkDatabaseAddresses } from '../../db/connection-check.ts';
import { GroupCommit } from '../../db/group-commit.ts';
import { type BoundedPool, openPool } from '../../db/pool.ts';
import { loadConfig } from '../../platform/config.ts';
import { checkDatabase } from '../../services/doctor/database-check.ts';
import { describeChangeLog } from '../contract/change-log.ts';
import { eventually } from '../support/eventually.ts';
import { keepsPrepared, PgBouncer, pgBouncerVersion } from '../support/pgbouncer.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { QuireProcess } from '../support/quire-process.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import { append, joinWord } from '../support/word-editor.ts';

/** Fewer than there are connections of clients. */
const shared = 4;

describe.skipIf(!pgBouncerVersion)('with pgbouncer in transaction mode', () => {
  describeChangeLog('PostgreSQL behind PgBouncer', async () => {
    const database = await openTestDatabase();
    const bouncer = await PgBouncer.start(database.url, shared);
    const pool = openPool({
      ...{ url: bouncer.url, max: 10, statementTimeoutMs: 0, isPooler: true },
      ...{ preparesStatements: keepsPrepared, log: { warn() {} } },
    });
    return {
      log: new PostgresChangeLog(pool, new GroupCommit(pool, 1)),
      create: async (key, state) => {
        await pool.query(
          `INSERT INTO documents (key, state, file_type, title, base_url) VALUES ($1, $2, 'docx', '', '')`,
          [key, state],
        );
      },
      close: async () => {
        await pool.end();
        await bouncer.stop();
        await database.close();
      },
    };
  });

  describe('a server', () => {
    let database: TestDatabase;
    let bouncer: PgBouncer;
    let scene: Scene;

    beforeAll(async () => {
      database = await openTestDatabase();
      bouncer = await PgBouncer.start(database.url, shared);
      scene = await Scene.open({
        environment: {
          DATABASE_URL: bouncer.url,
          DATABASE_DIRECT_URL: database.url,
          DATABASE_PREPARED_STATEMENTS: String(keepsPrepared),
          CONVERTER_PROCESSES: '1',
          TIDY_EVERY_MS: '200',
        },
      });
    });
    afterAll(async () => {
      await scene?.close();
      await bouncer?.stop();
      await database?.close();
    });

    it('[PG4] opens, edits, force-saves and hands over through the pooler, and says what it lacks', async () => {
      const key = scene.newKey();
      const { client, doc } = await joinWord(scene, key, 'ann');
      await save(client, [append('a', doc, 0, ' by Ann').change]);
      client.send({ type: 'forceSaveStart' });
      await scene.integrator.waitForCallback(key, ({ status }) => status === 6);
      await client.leave();
      const { body } = await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
      expect(body).toMatchObject({ notmodified: true });
      const stateOf = async () =>
        (await database.pool.query('SELECT state FROM documents WHERE key = $1', [key])).rows[0].state;
      await eventually(stateOf, (state) => state === 'closed');
      const warnings = scene.quire.log.filter(({ msg }) => msg.startsWith('Behind the pooler'));
      expect(warnings).toHaveLength(1);
      expect(scene.quire.log.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
    });

    it('[PG5] keeps nothing on a connection that others may get next', async () => {
      const pool: BoundedPool = openPool({
        ...{ url: bouncer.url, max: 1, statementTimeoutMs: 0, isPooler: true, preparesStatements: false },
        log: { warn() {} },
      });
      const kept = await pool.query(
        `SELECT (SELECT count(*)::int FROM pg_prepared_statements WHERE NOT $1) AS statements,
           (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks,
           (SELECT count(*)::int FROM pg_listening_channels()) AS channels`,
        [keepsPrepared],
      );
      expect(kept.rows).toEqual([{ statements: 0, locks: 0, channels: 0 }]);
      await pool.end();
    });
  });

  describe('a server that is not told of the address without the pooler', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await openTestDatabase();
    });
    afterAll(() => database?.close());

    const advisoryLocks = async () =>
      (
        await database.pool.query(
          `SELECT pid FROM pg_locks WHERE locktype = 'advisory'
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        )
      ).rows;

    it.each([
      ['refuses settings of connections', ''],
      ['takes a time limit of connections', 'statement_timeout'],
      ['takes all settings of connections', 'statement_timeout,options'],
    ])('[CF20] does not start on one that %s, and leaves no lock in the pool', async (_which, accepts) => {
      const bouncer = await PgBouncer.start(database.url, shared, { accepts });
      try {
        const environment = { DATABASE_URL: bouncer.url, PUBLIC_URL: 'http://localhost' };
        // A lock would be left by each of them.
        for (let start = 0; start < 2; start += 1) {
          await expect(QuireProcess.start(environment)).rejects.toThrow(
            /ended \(1\) before[\s\S]*"code":"database-pooler"[\s\S]*Set DATABASE_DIRECT_URL/,
          );
        }
        expect(await advisoryLocks()).toEqual([]);
        const right = await QuireProcess.start({
          ...environment,
          ...{ DATABASE_DIRECT_URL: database.url, DATABASE_PREPARED_STATEMENTS: String(keepsPrepared) },
        });
        expect(await right.stop()).toBe(0);
        await right.remove();
      } finally {
        await bouncer.stop();
      }
    });

    it('[CF20] shares it in transaction mode with jobs in Redis no more than without, and accepts session mode then', async () => {
      const settings = loadConfig({ REDIS_URL: 'redis://127.0.0.1', DATABASE_URL: database.url });
      for (const sessions of [false, true]) {
        const bouncer = await PgBouncer.start(database.url, 20, { sessions, accepts: 'statement_timeout' });
        try {
          const checked = checkDatabaseAddresses({ ...settings, databaseUrl: bouncer.url });
          if (sessions) await checked;
          else await expect(checked).rejects.toMatchObject({ code: 'database-pooler' });
        } finally {
          await bouncer.stop();
        }
      }
      await checkDatabaseAddresses(settings);
    });

    it('[DR19] the doctor says that it is a pooler in transaction mode and names the setting that is missing', async () => {
      for (const accepts of ['', 'statement_timeout', 'statement_timeout,options']) {
        const bouncer = await PgBouncer.start(database.url, shared, { accepts });
        try {
          const wrong = { DATABASE_URL: bouncer.url };
          for (const environment of [wrong, { DATABASE_DIRECT_URL: bouncer.url, ...wrong }]) {
            const [finding, ...others] = await checkDatabase(loadConfig(environment));
            expect(others).toEqual([]);
            expect(finding).toMatchObject({
              ...{ verdict: 'fail', sentence: expect.stringContaining('is a pooler') },
              remedy: expect.stringContaining('DATABASE_DIRECT_URL'),
            });
          }
        } finally {
          await bouncer.stop();
        }
      }
    });

    it('[DR20] the doctor finds both addresses right, other databases, and a role without a time limit', async () => {
      const bouncer = await PgBouncer.start(database.url, shared);
      const other = await openTestDatabase();
      const checked = (directUrl: string) =>
        checkDatabase(loadConfig({ DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: directUrl }));
      const role = new URL(database.url).username;
      try {
        expect((await checked(database.url)).at(-1)).toMatchObject({
          ...{ verdict: 'warn', remedy: expect.stringContaining(`ALTER ROLE ${role} SET statement_timeout`) },
        });
        expect((await checked(other.url)).at(-1)).toMatchObject({
          ...{ verdict: 'fail', sentence: expect.stringContaining('different databases') },
        });
      } finally {
        await bouncer.stop();
        await other.close();
      }
    });
  });
});
