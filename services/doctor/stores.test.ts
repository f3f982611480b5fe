import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { JobWorker } from '../../jobs/job-worker.ts';
import { ConversionQueue } from '../../jobs/jobs.ts';
import { loadConfig } from '../../platform/config.ts';
import { freePort } from '../../test/support/free-port.ts';
import { openEmptyDatabase, openTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { hasRedis, startRedis, type TestRedis } from '../../test/support/redis.ts';
import { hasS3Server, TestS3 } from '../../test/support/s3-server.ts';
import { checkBlobStore, checkDisks, spaceFinding } from './blob-check.ts';
import { checkDatabase, versionFinding } from './database-check.ts';
import type { Finding } from './finding.ts';
import { clockFinding } from './finding.ts';
import { checkQueue } from './queue-check.ts';
import { checkRedis } from './redis-check.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'quire-doctor-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const verdicts = (findings: readonly Finding[]) => findings.map(({ verdict }) => verdict);
/** The check of a database at this address. */
const checkDatabaseAt = (databaseUrl: string, databasePoolSize = 10) =>
  checkDatabase({ ...loadConfig({ DATA_DIR: directory }), databaseUrl, databasePoolSize });
const problem = (findings: readonly Finding[]) =>
  findings.find(({ verdict }) => verdict === 'fail') ?? findings.find(({ verdict }) => verdict === 'warn');

describe('the database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  const changed = (change: (url: URL) => void): string => {
    const url = new URL(database.url);
    change(url);
    return url.href;
  };

  test('[DR2] one that can be used is reported with its version', async () => {
    const findings = await checkDatabaseAt(database.url);
    expect(verdicts(findings)).not.toContain('fail');
    expect(findings[0]!.sentence).toMatch(/PostgreSQL \d+/);
  });

  test('[DR2] a wrong password, a closed port, an unknown host and an absent database are each reported as such', async () => {
    const cases: [string, RegExp][] = [
      [
        changed((url) => {
          url.password = 'wrong';
        }),
        /password of .* is not accepted/,
      ],
      [
        changed((url) => {
          url.port = '1';
        }),
        /Nothing listens at .*:1$/,
      ],
      [
        changed((url) => {
          url.hostname = 'database.invalid';
        }),
        /database\.invalid is not known/,
      ],
      [
        changed((url) => {
          url.pathname = '/absent';
        }),
        /no database absent/,
      ],
    ];
    for (const [url, sentence] of cases) {
      const findings = await checkDatabaseAt(url);
      expect(findings).toEqual([
        expect.objectContaining({ verdict: 'fail', sentence: expect.stringMatching(sentence) }),
      ]);
      expect(findings[0]!.remedy).toBeTruthy();
      expect(JSON.stringify(findings)).not.toContain(new URL(database.url).password);
    }
  });

  test('[DR2] migrations that are pending are named, and a database of a newer version is refused', async () => {
    const empty = await openEmptyDatabase();
    try {
      const fresh = await checkDatabaseAt(empty.url);
      expect(fresh.map(({ sentence }) => sentence).join()).toMatch(
        /migrations are applied when the server is started: 0001_/,
      );
      const client = new pg.Client({ connectionString: empty.url });
      await client.connect();
      await client.query('CREATE TABLE schema_migrations (version integer, name text, checksum text)');
      await client.query(`INSERT INTO schema_migrations VALUES (9999, '9999_of_the_future', '')`);
      await client.end();
      expect(problem(await checkDatabaseAt(empty.url))).toMatchObject({
        verdict: 'fail',
        sentence: expect.stringContaining('9999_of_the_future'),
      });
    } finally {
      await empty.drop();
    }
  });

  test('[DR2] rights that are missing are named with the statement that gives them', async () => {
    const empty = await openEmptyDatabase();
    const role = `doctor_${Date.now()}`;
    await database.pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'p'`);
    try {
      const admin = new pg.Client({ connectionString: empty.url });
      await admin.connect();
      await admin.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
      await admin.end();
      const url = new URL(empty.url);
      [url.username, url.password] = [role, 'p'];
      const failed = (await checkDatabaseAt(url.href)).filter(({ verdict }) => verdict === 'fail');
      expect(failed.map(({ remedy }) => remedy).join()).toContain(`GRANT CREATE ON SCHEMA public TO ${role}`);
      expect(failed).toHaveLength(2);
    } finally {
      await empty.drop();
      await database.pool.query(`DROP ROLE ${role}`);
    }
  });

  test('[DR2] a database that takes no changes has failed', async () => {
    const url = changed((one) => one.searchParams.set('options', '-c default_transaction_read_only=on'));
    expect(problem(await checkDatabaseAt(url))).toMatchObject({
      verdict: 'fail',
      sentence: 'The database takes no changes',
    });
  });

  test('[DR2] a pool that is larger than what PostgreSQL allows is warned about', async () => {
    expect(problem(await checkDatabaseAt(database.url, 900))).toMatchObject({
      verdict: 'warn',
      remedy: expect.stringContaining('DATABASE_POOL_SIZE'),
    });
  });

  test('[DR2] versions from 14 to 18 are right', () => {
    expect([13, 14, 18, 19].map((major) => versionFinding(major, `${major}.1`).verdict)).toEqual([
      'fail',
      'ok',
      'ok',
      'warn',
    ]);
  });

  test('[DR2] an embedded database that does not run is no failure', async () => {
    expect(verdicts(await checkDatabase(loadConfig({ DATA_DIR: directory })))).toEqual(['skip']);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('[DR3] clocks that differ are warned about, and have failed where tokens would be refused', () => {
    expect(
      [500, -10_000, 90_000].map((difference) => clockFinding('it', 1e12 + difference, 1e12).verdict),
    ).toEqual(['ok', 'warn', 'fail']);
  });

  test('[DR4] a job goes to a worker and back, and no worker is reported as such', async () => {
    const store = { databaseUrl: database.url, redis: null, redisUrl: undefined, prefix: 'quire' };
    expect(verdicts(await checkQueue(store, 500))).toEqual(['skip']);
    const queue = new ConversionQueue(store, 1_000, () => undefined);
    await queue.ready();
    await queue.close();
    expect(await checkQueue(store, 500)).toEqual([
      expect.objectContaining({
        verdict: 'fail',
        sentence: expect.stringContaining('No worker answered within 0.5 s'),
      }),
    ]);
    const worker = new JobWorker(store, {
      concurrency: 1,
      process: async () => ({ kind: 'superseded' }),
      onError: () => undefined,
    });
    try {
      await worker.waitUntilReady();
      expect((await checkQueue(store, 20_000))[0]!.sentence).toMatch(/A worker took a job/);
    } finally {
      await worker.close();
    }
    expect(
      verdicts(await checkQueue({ databaseUrl: null, redisUrl: undefined, prefix: 'quire' }, 500)),
    ).toEqual(['skip']);
  });
});

describe.skipIf(!hasRedis)('Redis (needs redis-server)', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  test('[DR5] one that can be used is reported with its version, and none is no failure', async () => {
    const findings = await checkRedis(redis.url);
    expect(verdicts(findings)).not.toContain('fail');
    expect(findings[0]!.sentence).toMatch(/^Redis \d/);
    expect(verdicts(await checkRedis(undefined))).toEqual(['skip']);
  });

  test('[DR5] one that drops keys, a closed port and a wrong password are each reported as such', async () => {
    const locked = await startRedis(['--requirepass', 'right', '--maxmemory-policy', 'allkeys-lru']);
    const { port } = locked;
    try {
      expect(problem(await checkRedis(`redis://127.0.0.1:${port}`))?.sentence).toContain(
        'refuses the password',
      );
      expect(problem(await checkRedis(`redis://:wrong@127.0.0.1:${port}`))).toMatchObject({
        verdict: 'fail',
        sentence: expect.stringContaining('refuses the password'),
      });
      expect(problem(await checkRedis(`redis://:right@127.0.0.1:${port}`))).toMatchObject({
        verdict: 'warn',
        remedy: expect.stringContaining('noeviction'),
      });
    } finally {
      await locked.stop();
    }
    expect(problem(await checkRedis(`redis://127.0.0.1:${port}`))).toMatchObject({
      verdict: 'fail',
      sentence: `Nothing listens at 127.0.0.1:${port}`,
    });
    expect(problem(await checkRedis('redis://redis.invalid'))).toMatchObject({
      sentence: expect.stringContaining('redis.invalid is not known'),
    });
  });

  test('[DR5] a cluster that has no slots has failed', async () => {
    const cluster = await startRedis([
      ...['--dir', directory, '--cluster-enabled', 'yes', '--cluster-port', String(await freePort())],
    ]);
    try {
      expect(problem(await checkRedis(`redis://127.0.0.1:${cluster.port}`))).toMatchObject({
        verdict: 'fail',
        sentence: 'The cluster is not complete (fail)',
      });
    } finally {
      await cluster.stop();
    }
  });
});

describe('the blob store', () => {
  test('[DR6] files that can be written are tried, and nothing of the trial is left', async () => {
    const config = loadConfig({ DATA_DIR: directory });
    expect(verdicts(await checkBlobStore(config))).toEqual(['ok']);
    const left = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(left).toEqual([]);
  });

  test('[DR6] a data directory that is none has failed', async () => {
    const file = path.join(directory, 'file');
    writeFileSync(file, '');
    expect(await checkBlobStore(loadConfig({ DATA_DIR: file }))).toEqual([
      expect.objectContaining({ verdict: 'fail', remedy: expect.stringContaining('DATA_DIR') }),
    ]);
    const [free] = await checkDisks(loadConfig({ DATA_DIR: path.join(directory, 'not', 'yet') }));
    expect(free!.sentence).toMatch(/GB are free in/);
    expect(free!.sentence).not.toContain('yet');
  });

  test('[DR26] the disks of both directories are looked at where they are two, each by its setting', async () => {
    const config = loadConfig({ DATA_DIR: directory, BLOB_DIR: '/dev/shm/quire/blobs' });
    const spaces = (await checkDisks(config))
      .map(({ sentence }) => sentence)
      .filter((one) => /free/.test(one));
    const isTwo = statSync(directory).dev !== statSync('/dev/shm').dev;
    expect(spaces).toEqual([
      expect.stringContaining(`are free in ${directory}`),
      ...(isTwo ? [expect.stringContaining('are free in /dev/shm')] : []),
    ]);
    const [one, ...others] = await checkDisks(
      loadConfig({ DATA_DIR: directory, BLOB_STORE: 's3', S3_BUCKET: 'files' }),
    );
    expect([one!.sentence, others.filter(({ verdict }) => verdict !== 'warn')]).toEqual([
      expect.stringContaining(directory),
      [],
    ]);
    expect(spaceFinding('d', 1, 'BLOB_DIR').remedy).toContain('Make room');
    expect(spaceFinding('d', 1024 ** 3, 'BLOB_DIR').remedy).toContain('BLOB_DIR');
  });

  test('[DR6] little free space is warned about, and hardly any has failed', () => {
    expect(
      [10 * 1024 ** 3, 1024 ** 3, 1024 ** 2].map((free) => spaceFinding('d', free, 'BLOB_DIR').verdict),
    ).toEqual(['ok', 'warn', 'fail']);
  });

  test('[DR6] a server of S3 that refuses is reported with its reason', async () => {
    for (const [code, status, remedy] of [
      ['RequestTimeTooSkewed', 403, /NTP/],
      ['AccessDenied', 403, /s3:GetObject/],
      ['PermanentRedirect', 301, /S3_REGION/],
    ] as const) {
      const server = createServer((request, response) => {
        const body = request.method === 'HEAD' ? '' : `<Error><Code>${code}</Code></Error>`;
        response
          .writeHead(request.method === 'HEAD' ? 404 : status, { 'content-type': 'application/xml' })
          .end(body);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const findings = await checkBlobStore(s3Config({ S3_ENDPOINT: endpoint }));
        expect(findings).toEqual([
          expect.objectContaining({ verdict: 'fail', remedy: expect.stringMatching(remedy) }),
        ]);
      } finally {
        server.close();
        server.closeAllConnections();
      }
    }
  });

  const s3Config = (environment: Readonly<Record<string, string>>) =>
    loadConfig({
      ...{ DATA_DIR: directory, BLOB_STORE: 's3', S3_BUCKET: 'documents', S3_ATTEMPTS: '1' },
      ...{ S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'hidden', ...environment },
    });

  describe.skipIf(!hasS3Server)('in S3 (needs versitygw)', () => {
    test('[DR6] a missing bucket, a wrong secret and a closed port are each reported as such', async () => {
      const s3 = await TestS3.start();
      try {
        const check = (changes: Readonly<Record<string, string>>) =>
          checkBlobStore(s3Config({ ...s3.environment, ...changes }));
        expect(verdicts(await check({}))).toEqual(['ok']);
        expect(problem(await check({ S3_BUCKET: 'absent' }))).toMatchObject({
          verdict: 'fail',
          sentence: expect.stringContaining('no such bucket'),
        });
        const refused = await check({ S3_SECRET_ACCESS_KEY: 'wrong secret' });
        expect(problem(refused)).toMatchObject({ verdict: 'fail' });
        expect(JSON.stringify(refused)).not.toContain('wrong secret');
        // This server sends no CORS headers unless the bucket has a rule.
        expect(problem(await check({ S3_LINKS: 'direct' }))).toMatchObject({
          verdict: 'warn',
          remedy: expect.stringContaining('CORS'),
        });
        expect(
          problem(await check({ S3_LINKS: 'direct', S3_PUBLIC_ENDPOINT: 'http://127.0.0.1:1' })),
        ).toMatchObject({ verdict: 'fail', remedy: expect.stringContaining('S3_PUBLIC_ENDPOINT') });
        await s3.pause();
        expect(problem(await check({}))).toMatchObject({
          verdict: 'fail',
          sentence: expect.stringContaining('cannot be reached'),
        });
      } finally {
        await s3.close();
      }
    });
  });
});
