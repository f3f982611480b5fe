import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FairQueue } from '../../db/fair-queue.ts';
import { ConversionQueue } from '../../jobs/jobs.ts';
import { FileBlobStore } from '../../platform/adapters/file-blob-store.ts';
import { RedisConnection } from '../../platform/adapters/redis/redis-connection.ts';
import { probeContent } from '../../platform/probes.ts';
import { Tidier } from '../../services/lifecycle/tidier.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { hasRedis } from '../support/redis.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import { silentLog } from '../support/silent-log.ts';
import { append, joinWord, wordEditor } from '../support/word-editor.ts';

const waitMs = 40_000;
const sessions = 12;

/** What stays of a server that nobody uses: what it is set up with, and what its parts note of themselves. */
const lasting = [
  ...['bullmq.meta', 'bullmq.migration', 'public.schema_migrations', 'public.secrets'],
  // A row for each converter that runs, and for each application whose jobs were the last of a lane.
  ...['public.converter_engines', 'public.job_turns'],
];

const probeDirectory = createHash('sha256').update(probeContent).digest('hex').slice(0, 2);

describe.each([
  { name: 'jobs in the database', nodes: 1 },
  { name: 'jobs in Redis, two nodes', nodes: 2 },
])('what is left after many sessions: $name', ({ nodes }) => {
  const runs = nodes === 1 || hasRedis;
  let blobDir: string;
  let scene: Scene;
  let queue: ConversionQueue;
  let redis: RedisConnection | null = null;

  beforeAll(async () => {
    if (!runs) return;
    blobDir = await mkdtemp(path.join(os.tmpdir(), 'quire-growth-'));
    const environment = { CONVERTER_PROCESSES: '1', BLOB_DIR: blobDir, TIDY_EVERY_MS: '0' };
    scene = await Scene.open({ environment, nodes });
    redis = scene.redis && (await RedisConnection.connect(scene.redis.url, silentLog));
    queue = new ConversionQueue(
      { databaseUrl: scene.database.url, redis, prefix: 'quire' },
      waitMs,
      () => undefined,
    );
    await queue.ready();
  });
  afterAll(async () => {
    await queue?.close();
    await redis?.close();
    await scene?.close();
    if (blobDir) await rm(blobDir, { recursive: true, force: true });
  });

  /** Somebody opens a document, writes, and leaves; its integrator takes the file. */
  async function session(source: Uint8Array): Promise<void> {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann', undefined, wordEditor(scene, key, 'growth.docx', source));
    await save(ann.client, [append('ann', ann.doc, 0, ` of ${key}`).change]);
    await ann.client.leave();
    await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
  }

  /** @param text of the source: what servers remember of one is not older than what is removed in earnest */
  async function manySessions(text: string): Promise<void> {
    const source = buildDocx({ paragraphs: [text] });
    for (let count = 0; count < sessions; count += 1) await session(source);
    await eventually(
      () => count('documents', `WHERE state <> 'closed'`),
      (left) => left === 0,
    );
  }

  async function count(table: string, where = ''): Promise<number> {
    const { rows } = await scene.database.pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} ${where}`,
    );
    return rows[0]!.count;
  }

  /** Everything that may go is old enough. */
  const tidied = async () => {
    await new FairQueue(scene.database.pool).forgetServed();
    return new Tidier({
      ...{ pool: scene.database.pool, blobs: new FileBlobStore(blobDir), jobs: queue },
      ...{ isAttached: () => false, keepMs: 0, keepFilesMs: 0, everyMs: 0 },
      conversions: { maxBytes: 1, linkedForMs: 0 },
      ...{ onTidied: () => undefined, log: silentLog },
    }).tidy();
  };

  /** Tables that hold anything, with how many rows. */
  async function rowsLeft(): Promise<Record<string, number>> {
    const { rows } = await scene.database.pool.query<{ name: string }>(
      `SELECT schemaname || '.' || tablename AS name FROM pg_tables WHERE schemaname IN ('public', 'bullmq') ORDER BY 1`,
    );
    const counted: Record<string, number> = {};
    for (const { name } of rows) {
      const number = await count(name);
      if (number > 0) counted[name] = number;
    }
    return counted;
  }

  /** Directories of files; servers store the file of their health check again whenever they look. */
  const directoriesLeft = async (): Promise<string[]> =>
    (await readdir(blobDir)).filter((name) => name !== probeDirectory);

  /** Keys in Redis, but for those by which BullMQ notes for some seconds that it has looked for stalled jobs. */
  const keysLeft = async (): Promise<string[]> => {
    const keys = (await redis?.commands.keys('*')) ?? [];
    return keys.filter((key) => !key.endsWith(':stalled-check')).toSorted();
  };

  test.skipIf(!runs)(
    '[OP11] nothing of documents, callbacks, jobs and files but what a server has that nobody has used',
    async () => {
      await manySessions('One');
      expect(await count('saves')).toBeGreaterThanOrEqual(sessions);
      expect((await readdir(blobDir)).length).toBeGreaterThan(sessions / 2);
      expect(await tidied()).toMatchObject({ documents: sessions });
      expect(Object.keys(await rowsLeft()).filter((name) => !lasting.includes(name))).toEqual([]);
      expect(await directoriesLeft()).toEqual(['incoming']);
      // What is being written at this moment is there until it has its name.
      await eventually(
        () => readdir(path.join(blobDir, 'incoming')),
        ({ length }) => length === 0,
      );
      const [rows, keys] = [await rowsLeft(), await keysLeft()];
      expect(keys.filter((key) => key.includes('document-'))).toEqual([]);

      // The directories that are gone are made anew, by servers that knew them.
      await manySessions('Another');
      expect(await tidied()).toMatchObject({ documents: sessions });
      expect(await rowsLeft()).toEqual(rows);
      expect(await keysLeft()).toEqual(keys);
      expect(await directoriesLeft()).toEqual(['incoming']);
    },
  );
});
