import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import type { LogLine } from '../support/quire-process.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.ts';

const program = fileURLToPath(new URL('../../bin/quire.js', import.meta.url));
const hidden = 'correct-horse-battery';
let dataDir: string;
let database: TestDatabase;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'quire-bad-settings-'));
  database = await openTestDatabase();
});
afterAll(async () => {
  await database?.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs a command that is to end by itself. */
async function ending(
  command: 'serve' | 'worker',
  environment: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string; lines: LogLine[] }> {
  const child = spawn(process.execPath, [program, command], {
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: '0' },
      ...{ ADMIN_PORT: '0', LOG_FORMAT: 'json', LIBREOFFICE: 'off', ...environment },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], output, errors] = await Promise.all([
    once(child, 'exit') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  expect(errors).toBe('');
  const isJson = environment.LOG_FORMAT !== 'pretty';
  const lines = isJson
    ? output
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as LogLine)
    : [];
  return { code, output, lines };
}

const databaseUrl = (change: (url: URL) => void): string => {
  const url = new URL(database.url);
  change(url);
  return url.href;
};
const closedPort = () =>
  databaseUrl((url) => {
    url.port = '1';
    url.password = hidden;
  });

describe('a server with wrong settings', () => {
  it('[CF16] names misspelt settings and what is probably meant, never what is in them, and no names of others', async () => {
    const { output, lines } = await ending('serve', {
      DATABASE_URL: closedPort(),
      DATABSE_POOL_SIZE: hidden,
      JWT_SECRT: hidden,
      S3_BUKET: hidden,
      WOPI_COLOUR: hidden,
      CONVERTER_SERVICE_HOST: hidden,
      EDITOR: hidden,
      DISPLAY: hidden,
    });
    const named = lines.filter(({ variable }) => variable !== undefined);
    expect(named.map(({ level, variable, meant }) => [level, variable, meant])).toEqual([
      ['warn', 'DATABSE_POOL_SIZE', 'DATABASE_POOL_SIZE'],
      ['warn', 'JWT_SECRT', 'JWT_SECRET'],
      ['warn', 'S3_BUKET', 'S3_BUCKET'],
      ['warn', 'WOPI_COLOUR', undefined],
    ]);
    expect(named[0]!.msg).toBe('DATABSE_POOL_SIZE is not a setting: did you mean DATABASE_POOL_SIZE?');
    expect(output).not.toContain(hidden);
  });

  it('[CF17] says which setting names a database that it cannot use, and why, without a stack', async () => {
    const cases: [url: string, code: string, reason: RegExp][] = [
      [closedPort(), 'database-refused', /^Nothing listens at .*:1$/],
      [
        databaseUrl((url) => {
          url.hostname = 'database.invalid';
        }),
        'database-host',
        /database\.invalid is not known/,
      ],
      [
        databaseUrl((url) => {
          url.password = hidden;
        }),
        'database-password',
        /password of .* is not accepted/,
      ],
      [
        databaseUrl((url) => {
          url.pathname = '/absent';
        }),
        'database-missing',
        /no database absent/,
      ],
    ];
    for (const command of ['serve', 'worker'] as const) {
      for (const [url, code, reason] of cases) {
        const ended = await ending(command, { DATABASE_URL: url, PUBLIC_URL: 'http://localhost' });
        expect(ended.code).toBe(1);
        expect(ended.lines.at(-1)).toMatchObject({
          ...{ level: 'fatal', msg: 'Quire could not start', code, setting: 'DATABASE_URL' },
          reason: expect.stringMatching(reason),
          remedy: expect.stringMatching(/DATABASE_URL|CREATE DATABASE/),
        });
        expect(ended.output).not.toMatch(new RegExp(`${hidden}|"stack"|node_modules`));
      }
    }
  });

  it('[CF17] names the one of two addresses that is wrong', async () => {
    const { lines } = await ending('serve', {
      DATABASE_URL: database.url,
      DATABASE_DIRECT_URL: closedPort(),
    });
    expect(lines.at(-1)).toMatchObject({ code: 'database-refused', setting: 'DATABASE_DIRECT_URL' });
    const other = await ending('serve', { DATABASE_URL: closedPort(), DATABASE_DIRECT_URL: database.url });
    expect(other.lines.at(-1)).toMatchObject({ code: 'database-refused', setting: 'DATABASE_URL' });
  });

  it('[CF19] reports settings that cannot be read in the format of the log, one a line', async () => {
    const wrong = {
      ...{ DATABASE_URL: `mysql://quire:${hidden}@db/quire`, REDIS_URL: `http://:${hidden}@redis` },
      ...{ PORT: 'many', LOG_LEVEL: 'loud' },
    };
    for (const command of ['serve', 'worker'] as const) {
      const { code, output, lines } = await ending(command, wrong);
      expect(code).toBe(1);
      expect(output).not.toContain(hidden);
      expect(lines.map(({ level, msg, reason }) => [level, msg, String(reason).split(' ')[0]])).toEqual(
        ['PORT', 'DATABASE_URL', 'REDIS_URL', 'LOG_LEVEL'].map((name) => [
          ...['fatal', 'Quire could not start', name],
        ]),
      );
    }
    const forPeople = await ending('serve', { ...wrong, LOG_FORMAT: 'pretty' });
    expect(forPeople.output).toMatch(/FATAL.*Quire could not start.*DATABASE_URL must be/);
  });
});

describe.skipIf(!hasRedis)('a server with a wrong address of Redis (needs redis-server)', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis(['--requirepass', 'right']);
  });
  afterAll(() => redis?.stop());

  it('[CF18] says why Redis cannot be used, by the name of the setting and without a stack', async () => {
    const { code, output, lines } = await ending('serve', {
      DATABASE_URL: database.url,
      REDIS_URL: `redis://:${hidden}@127.0.0.1:${redis.port}`,
    });
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatchObject({
      ...{ level: 'fatal', code: 'redis-password', setting: 'REDIS_URL' },
      reason: `Redis at 127.0.0.1:${redis.port} refuses the password`,
      remedy: expect.stringContaining('REDIS_URL'),
    });
    expect(output).not.toMatch(new RegExp(`${hidden}|"stack"|node_modules`));
  });
});
