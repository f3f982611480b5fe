import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresChangeLog } from '../../db/change-log.ts';
import { GroupCommit } from '../../db/group-commit.ts';
import { type BoundedPool, openPool } from '../../db/pool.ts';
import { describeChangeLog } from '../contract/change-log.ts';
import { keepsPrepared, PgBouncer, pgBouncerVersion } from '../support/pgbouncer.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { save } from '../support/saving.ts';
import { eventually, Scene } from '../support/scene.ts';
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
      await scene.converterReady();
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
});
