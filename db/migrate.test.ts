import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmptyDatabase, rowsOf } from '../test/support/postgres.ts';
import { migrate, stepBack } from './migrate.ts';
import { openPool } from './pool.ts';
import { Tidying } from './tidying.ts';

let url: string;
let drop: () => Promise<void>;
let directory: string;

const file = (name: string, sql: string) => writeFile(path.join(directory, name), sql);

const rows = (statement: string) => rowsOf(url, statement);

beforeEach(async () => {
  ({ url, drop } = await openEmptyDatabase());
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-migrations-'));
  await file('0001_first.sql', 'CREATE TABLE first (n integer); INSERT INTO first VALUES (1);');
  await file('0002_second.sql', 'INSERT INTO first VALUES (2);');
});

afterEach(async () => {
  await drop();
  await rm(directory, { recursive: true });
});

describe('migrate', () => {
  it('[SU20] applies the files in order, each once', async () => {
    expect(await migrate({ url, directory })).toEqual(['0001_first.sql', '0002_second.sql']);
    expect(await migrate({ url, directory })).toEqual([]);
    await file('0003_third.sql', 'INSERT INTO first SELECT max(n) + 1 FROM first;');
    expect(await migrate({ url, directory })).toEqual(['0003_third.sql']);
    expect(await rows('SELECT n FROM first ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('[UP8] a version before starts after a step back, and the later one applies nothing a second time', async () => {
    const later = '0003_third.sql';
    await migrate({ url, directory });
    await file(later, 'ALTER TABLE first ADD COLUMN more text');
    await migrate({ url, directory });
    await expect(stepBack({ url, to: '0009_none.sql' })).rejects.toMatchObject({ code: 'unknown' });
    await rm(path.join(directory, later));
    await expect(migrate({ url, directory })).rejects.toMatchObject({ code: 'newer' });
    expect(await stepBack({ url, to: '0002_second.sql' })).toEqual([later]);
    expect(await migrate({ url, directory })).toEqual([]);
    // What the later version has added is there all the time.
    expect(await rows('SELECT more FROM first LIMIT 1')).toEqual([{ more: null }]);
    await file(later, 'ALTER TABLE first ADD COLUMN other text');
    await expect(migrate({ url, directory })).rejects.toMatchObject({ code: 'changed' });
    await file(later, 'ALTER TABLE first ADD COLUMN more text');
    expect(await migrate({ url, directory })).toEqual([later]);
    expect(await migrate({ url, directory })).toEqual([]);
  });

  it('[SU55] one line says how many were applied, the first and the last, and none when there were none', async () => {
    const said: unknown[] = [];
    const log = { info: (...line: unknown[]) => said.push(line), debug: () => undefined };
    for (const _time of ['first', 'second']) await migrate({ url, directory, log });
    const applied = { count: 2, first: '0001_first.sql', last: '0002_second.sql' };
    expect(said).toEqual([[applied, 'Applied the migrations of the database']]);
  });

  it('[SU20] applies the migrations of the package when none are named', async () => {
    const names = (await readdir(path.join(import.meta.dirname, 'migrations'))).sort();
    expect(await migrate({ url })).toEqual(names);
  });

  it('[SU21] applies each file once when four processes migrate at the same time', async () => {
    const results = await Promise.all([1, 2, 3, 4].map(() => migrate({ url, directory })));
    expect(results.flat().sort()).toEqual(['0001_first.sql', '0002_second.sql']);
    expect(await rows('SELECT n FROM first ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('[SU22] refuses when an applied file was changed, but not for other line ends', async () => {
    await migrate({ url, directory });
    await file('0002_second.sql', 'INSERT INTO first VALUES (22);');
    await expect(migrate({ url, directory })).rejects.toMatchObject({ code: 'changed' });
    await file('0002_second.sql', 'INSERT INTO first VALUES (2);');
    await file('0003_third.sql', 'SELECT 1;\nSELECT 2;\n');
    await migrate({ url, directory });
    await file('0003_third.sql', 'SELECT 1;\r\nSELECT 2;\r\n');
    await expect(migrate({ url, directory })).resolves.toEqual([]);
  });

  it('[SU23] refuses a database with migrations it does not know', async () => {
    await migrate({ url, directory });
    await rm(path.join(directory, '0002_second.sql'));
    await expect(migrate({ url, directory })).rejects.toMatchObject({ code: 'newer' });
  });

  it('[SU24] leaves nothing of a file that fails, and all of the files before it', async () => {
    await file('0003_third.sql', 'INSERT INTO first VALUES (3); SELECT 1 / 0;');
    await expect(migrate({ url, directory })).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('0003_third.sql failed: division by zero'),
    });
    expect(await rows('SELECT n FROM first ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
    await file('0003_third.sql', 'INSERT INTO first VALUES (3);');
    expect(await migrate({ url, directory })).toEqual(['0003_third.sql']);
  });

  it('[SU25] refuses files that are not numbered one after the other', async () => {
    await file('0004_fourth.sql', 'SELECT 1');
    await expect(migrate({ url, directory })).rejects.toMatchObject({ code: 'files' });
    expect(await rows(`SELECT FROM pg_tables WHERE tablename = 'schema_migrations'`)).toEqual([]);
  });

  it('[PG11] a role that may not create tables finds that there is nothing to do, and works in them', async () => {
    await migrate({ url });
    const role = `quire_test_${randomBytes(6).toString('hex')}`;
    await rows(`CREATE ROLE ${role} LOGIN PASSWORD 'of a test'`);
    try {
      await rows('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
      await rows(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
      await rows(`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
      const asRole = new URL(url);
      asRole.username = role;
      asRole.password = 'of a test';
      expect(await migrate({ url: asRole.href })).toEqual([]);
      const pool = openPool({ url: asRole.href, max: 1, statementTimeoutMs: 0, log: { warn() {} } });
      await expect(pool.query('CREATE TABLE another ()')).rejects.toMatchObject({ code: '42501' });
      await pool.query(
        `INSERT INTO saves (key, epoch, status, base_url, end_index) VALUES ('a', 1, 2, '', 0)`,
      );
      expect(await Tidying.run(pool, (tidying) => tidying.noteReferences())).toBe(true);
      await pool.end();
    } finally {
      await rows(`DROP OWNED BY ${role}`);
      await rows(`DROP ROLE ${role}`);
    }
  });
});
