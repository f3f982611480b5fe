import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { settings } from './config/settings.ts';
import {
  ConfigError,
  configTable,
  configWarnings,
  loadConfig,
  processEnvironment,
  wantsSupervisor,
} from './config.ts';

const directories: string[] = [];
const scratch = (): string => {
  directories.push(mkdtempSync(path.join(tmpdir(), 'quire-config-')));
  return directories.at(-1)!;
};
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    loadConfig(environment);
  } catch (err) {
    expect(err).toBeInstanceOf(ConfigError);
    return (err as ConfigError).problems;
  }
  return [];
};

test('[CF1] an empty environment gives the defaults, with tokens on and no secret', () => {
  const config = loadConfig({});
  expect(config).toMatchObject({
    port: 8000,
    dataDir: path.resolve('data'),
    jwtEnabled: true,
    jwtHeader: 'Authorization',
  });
  expect(config).toMatchObject({
    allowPrivateIpAddress: false,
    allowMetaIpAddress: false,
    closingGraceMs: 5000,
  });
  expect([config.host, config.jwtSecret, config.databaseUrl, config.redisUrl]).toEqual(
    Array(4).fill(undefined),
  );
  expect(configWarnings(config)).toEqual([]);
});

test('[CF15] a path is absolute once it has been read, whatever it was written as', () => {
  const paths = {
    DATA_DIR: 'dataDir',
    BLOB_DIR: 'blobDir',
    X2T_DIR: 'x2tDir',
    EDITORS_DIR: 'editorsDir',
    LIBREOFFICE: 'libreoffice',
    WOPI_PROOF_KEYS_FILE: 'wopiProofKeysFile',
  } as const;
  for (const [variable, name] of Object.entries(paths)) {
    const read = (text: string) => loadConfig({ [variable]: text })[name];
    expect(read('./here/../there'), variable).toBe(path.resolve('there'));
    expect(read('/there'), variable).toBe('/there');
    expect(problemsOf({ [variable]: 'a\0b' }), variable).toEqual([
      expect.stringMatching(`^${variable} must be a text without NUL`),
    ]);
  }
  expect([loadConfig({}).libreoffice, loadConfig({ LIBREOFFICE: 'off' }).libreoffice]).toEqual([
    'auto',
    'off',
  ]);
  // A setting that names a place and is left out above would be found by nobody.
  const placed = Object.values(settings).filter(({ env }) => /_(?:DIR|FILE|PATH)$/.test(env));
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(placed.map(({ env }) => env)));
});

test('[CF2] all problems are reported at once, each with the name of its setting', () => {
  const problems = problemsOf({
    PORT: '80800',
    JWT_ENABLED: 'maybe',
    DATABASE_URL: 'mysql://me:hunter2@host/db',
    REDIS_URL: 'nonsense',
    LOG_LEVEL: 'loud',
    JWT_HEADER: 'X Bad: header',
    TRUST_PROXY: 'loopback,10.0.0.0/99',
    GROUP_COMMIT_WINDOW_MS: '1e1',
    CLOSING_GRACE_MS: '-1',
  });
  const names = [
    'PORT',
    'JWT_ENABLED',
    'DATABASE_URL',
    'REDIS_URL',
    'LOG_LEVEL',
    'JWT_HEADER',
    'TRUST_PROXY',
  ];
  names.push('GROUP_COMMIT_WINDOW_MS', 'CLOSING_GRACE_MS');
  expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual(names.sort());
  expect(problems.join()).not.toContain('hunter2');
});

test('[CF3] a boolean is true, 1, yes or false, 0, no in any case', () => {
  for (const word of ['true', '1', 'yes', 'TRUE', 'Yes', ' true ']) {
    expect(loadConfig({ ALLOW_PRIVATE_IP_ADDRESS: word }).allowPrivateIpAddress, word).toBe(true);
  }
  for (const word of ['false', '0', 'no', 'FALSE', 'No']) {
    expect(loadConfig({ JWT_ENABLED: word }).jwtEnabled, word).toBe(false);
  }
});

test('[CF4] a secret may come from a file, and naming both is refused', () => {
  const file = path.join(scratch(), 'secret');
  writeFileSync(file, 'from the file\n');
  expect(loadConfig({ JWT_SECRET_FILE: file }).jwtSecret).toBe('from the file');
  expect(problemsOf({ JWT_SECRET_FILE: file, JWT_SECRET: 'topsecret' }).join()).toMatch(
    /^JWT_SECRET and JWT_SECRET_FILE/,
  );
  expect(problemsOf({ JWT_SECRET_FILE: file, JWT_SECRET: 'topsecret' }).join()).not.toContain('topsecret');
  expect(problemsOf({ JWT_SECRET_FILE: `${file}.gone` }).join()).toMatch(/JWT_SECRET .*ENOENT/);
  writeFileSync(file, '\n');
  expect(problemsOf({ JWT_SECRET_FILE: file }).join()).toMatch(/JWT_SECRET .*empty/);
});

test('[CF5] the table of settings names every variable once with its default', () => {
  const rows = configTable().split('\n').slice(2);
  expect(rows).toHaveLength(Object.keys(settings).length);
  for (const setting of Object.values(settings)) {
    expect(rows.filter((row) => row.startsWith(`| \`${setting.env}\``))).toHaveLength(1);
    expect(setting.description).toMatch(/^[A-Z].*\.$/);
  }
});

test('[CF6] weak choices are allowed and warned about', () => {
  const warnings = configWarnings(loadConfig({ JWT_ENABLED: 'no', JWT_SECRET: 'secret' }));
  expect(warnings.join()).toMatch(/JWT_ENABLED.*JWT_SECRET/);
  expect(warnings.join()).not.toContain('"secret"');
});

test('[CF7] trusted addresses are names, addresses and ranges, whichever way the address is written', () => {
  const { trustProxy } = loadConfig({ TRUST_PROXY: 'loopback, 192.0.2.7, 2001:db8::/32' });
  for (const ip of ['127.0.0.1', '::1', '::ffff:127.9.9.9', '192.0.2.7', '2001:db8:1::1']) {
    expect(trustProxy.includes(ip), ip).toBe(true);
  }
  for (const ip of ['192.0.2.8', '10.0.0.1', '2001:db9::1', 'localhost', '', undefined]) {
    expect(trustProxy.includes(ip), String(ip)).toBe(false);
  }
  expect(loadConfig({ TRUST_PROXY: 'true' }).trustProxy.includes('8.8.8.8')).toBe(true);
  expect(loadConfig({ TRUST_PROXY: 'none' }).trustProxy.includes('127.0.0.1')).toBe(false);
});

test('[CF2] whatever the texts are, loading gives a configuration or a ConfigError', () => {
  const names = Object.values(settings).map((setting) => setting.env);
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...names, 'constructor', '__proto__'), fc.string()),
      (environment) => {
        try {
          expect(loadConfig(environment).port).toBeGreaterThanOrEqual(0);
        } catch (err) {
          expect(err).toBeInstanceOf(ConfigError);
        }
      },
    ),
  );
});

test('[CF1] the environment of the process is readable as one object', () => {
  expect(processEnvironment().PATH).toBeTypeOf('string');
});

test('[OS11] settings of the store that cannot be so together are refused, each with its name', () => {
  const s3 = { BLOB_STORE: 's3', S3_BUCKET: 'documents' };
  expect(problemsOf(s3)).toEqual([]);
  expect(problemsOf({ BLOB_STORE: 's3' })).toEqual(['S3_BUCKET is missing: BLOB_STORE is s3']);
  const halves: Record<string, string>[] = [{ S3_ACCESS_KEY_ID: 'key' }, { S3_SECRET_ACCESS_KEY: 'hidden' }];
  for (const half of halves) {
    const problems = problemsOf({ ...s3, ...half });
    expect(problems).toEqual([expect.stringMatching(/^S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY/)]);
    expect(problems.join()).not.toContain('hidden');
  }
  expect(problemsOf({ ...s3, S3_KMS_KEY_ID: 'key' })).toEqual([expect.stringContaining('S3_ENCRYPTION')]);
});

test('[LN2] a server has a process above it unless it is told otherwise, or was started by one', () => {
  expect(wantsSupervisor({})).toBe(true);
  expect(wantsSupervisor({ SUPERVISED: 'false' })).toBe(false);
  expect(wantsSupervisor({ QUIRE_RESTARTS: '0' })).toBe(false);
  // The server says what is wrong with it.
  expect(wantsSupervisor({ SUPERVISED: 'perhaps' })).toBe(true);
});

test('[CF22] a server does not start where what an editor may send does not fit into what may wait for another', () => {
  expect(problemsOf({ OUTBOUND_QUEUE_BYTES: '8388608', WS_MAX_PAYLOAD_BYTES: '8388608' })).toEqual([]);
  expect(problemsOf({ OUTBOUND_QUEUE_BYTES: '8388608' })).toEqual([
    expect.stringMatching(/^OUTBOUND_QUEUE_BYTES is 8388608, less than WS_MAX_PAYLOAD_BYTES \(16777216\)/),
  ]);
  expect(problemsOf({ OUTBOUND_QUEUE_BYTES: '2000000', WS_MAX_PAYLOAD_BYTES: '65536' })).toEqual([
    expect.stringMatching(/^OUTBOUND_QUEUE_BYTES must be a whole number from 3145728 /),
  ]);
});
