import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmptyDatabase } from '../test/support/postgres.ts';
import { migrate } from './migrate.ts';

let url: string;
let drop: () => Promise<void>;
let directory: string;

const file = (name: string, sql: string) => writeFile(path.join(directory, name), sql);

async function rows(statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client
    .query(statement)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

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
});
