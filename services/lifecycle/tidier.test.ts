import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ConversionRequestRecords } from '../../db/conversion-requests.ts';
import { ConversionRecords } from '../../db/conversions.ts';
import { Documents } from '../../db/documents.ts';
import { OpenedSources } from '../../db/opened-sources.ts';
import { Tidying } from '../../db/tidying.ts';
import { FileBlobStore } from '../../platform/adapters/file-blob-store.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { Tidier } from './tidier.ts';

const dayMs = 86_400_000;
let database: TestDatabase;
let directory: string;
let blobs: FileBlobStore;
const attached = new Set<string>();

beforeAll(async () => {
  database = await openTestDatabase();
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-tidy-'));
});
afterAll(async () => {
  await database?.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  const tables =
    'documents, openings, batches, saves, forgotten, media, opened_sources, conversions, conversion_requests';
  await database.pool.query(`TRUNCATE ${tables} CASCADE`);
  await rm(path.join(directory, 'blobs'), { recursive: true, force: true });
  blobs = new FileBlobStore(path.join(directory, 'blobs'));
  attached.clear();
});

const tidier = (store = blobs, conversions = { maxBytes: 0, linkedForMs: dayMs }) =>
  new Tidier({
    pool: database.pool,
    blobs: store,
    jobs: { removeEnded: async () => 0 },
    isAttached: (key) => attached.has(key),
    keepMs: dayMs,
    keepFilesMs: dayMs,
    conversions,
    everyMs: dayMs,
    onTidied: () => undefined,
    log: pino({ level: 'silent' }),
  });

const ago = (days: number) => new Date(Date.now() - days * dayMs);

/** Stores a blob as if it had been stored so long ago. */
async function blob(text: string, days: number): Promise<string> {
  const { hash } = await blobs.put(Buffer.from(text));
  const file = path.join(directory, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash);
  await utimes(file, ago(days), ago(days));
  return hash;
}

interface Row {
  state?: string;
  days?: number;
  openedDays?: number;
  nextIndex?: number;
  fromForgotten?: boolean;
  sourceHash?: string | null;
}

async function document(key: string, row: Row = {}): Promise<void> {
  const { state = 'idle', days = 3, openedDays = days, nextIndex = 0, fromForgotten = false } = row;
  await database.pool.query(
    `INSERT INTO documents (key, state, state_since, next_index, file_type, title, from_forgotten, base_url, source_hash, opened_at)
     VALUES ($1, $2, $3, $4, 'docx', '', $5, 'http://quire.test', $6, $7)`,
    [key, state, ago(days), nextIndex, fromForgotten, row.sourceHash ?? null, ago(openedDays)],
  );
  await database.pool.query(
    `INSERT INTO openings (key, user_index, user_id, unique_id, user_name, opened_at) VALUES ($1, 1, 'a', 'a1', '', $2)`,
    [key, ago(openedDays)],
  );
}

async function callback(key: string, row: { status?: number; state?: string; days?: number; hash?: string }) {
  const { status = 2, state = 'delivered', days = 3, hash = null } = row;
  const isEnded = state !== 'pending' && state !== 'assembling';
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO saves (key, epoch, status, state, base_url, end_index, result_hash, created_at, ended_at)
     VALUES ($1, 1, $2, $3, '', 0, $4, $5, $6) RETURNING id::text`,
    [key, status, state, hash, ago(days), isEnded ? ago(days) : null],
  );
  return rows[0]!.id;
}

const keys = async () =>
  (await database.pool.query('SELECT key FROM documents ORDER BY key')).rows.map(({ key }) => key as string);
const count = async (table: string) =>
  (await database.pool.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count as number;

test('[TY1] documents without changes that nobody used for long are removed, with all that belongs to them', async () => {
  await document('idle');
  await document('closed', { state: 'closed' });
  await document('failed', { state: 'failed' });
  await database.pool.query(`INSERT INTO media (key, path, hash) VALUES ('closed', 'media/a.png', 'x')`);
  await callback('closed', {});
  await document('young', { days: 0.5 });
  await document('opened again', { days: 3, openedDays: 0.1 });
  await document('looked at');
  attached.add('looked at');
  expect(await tidier().tidy()).toMatchObject({ documents: 3 });
  expect(await keys()).toEqual(['looked at', 'opened again', 'young']);
  expect([await count('openings'), await count('media'), await count('saves')]).toEqual([3, 0, 0]);
});

test('[TY2] whatever states documents are in, none that is live is touched, and every other is removed', async () => {
  const states = [
    'opening',
    'idle',
    'open',
    'closing',
    'assembling',
    'delivering',
    'closed',
    'failed',
    'forgotten',
  ];
  const world = fc.array(
    fc.record({
      state: fc.constantFrom(...states),
      days: fc.constantFrom(0.1, 3),
      openedDays: fc.constantFrom(0.1, 3),
      nextIndex: fc.constantFrom(0, 0, 2),
      fromForgotten: fc.boolean(),
      isAttached: fc.boolean(),
      isForgotten: fc.boolean(),
      waits: fc.constantFrom(null, 'pending', 'assembling'),
    }),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(world, async (documents) => {
      await database.pool.query('TRUNCATE documents, openings, saves, forgotten CASCADE');
      attached.clear();
      const live: string[] = [];
      for (const [at, one] of documents.entries()) {
        const key = `d${at}`;
        await document(key, one);
        if (one.isAttached) attached.add(key);
        const saveId = await callback(key, one.waits === null ? {} : { state: one.waits });
        if (one.isForgotten) {
          await database.pool.query(
            `INSERT INTO forgotten (key, save_id, source_hash, file_type) VALUES ($1, $2, 's', 'docx')`,
            [key, saveId],
          );
        }
        const rests = ['idle', 'closed', 'failed'].includes(one.state);
        const used = one.days < 1 || one.openedDays < 1 || one.isAttached;
        const needed = one.nextIndex > 0 || one.fromForgotten || one.isForgotten || one.waits !== null;
        if (!rests || used || needed) live.push(key);
      }
      await tidier().tidy();
      expect(await keys()).toEqual(live);
      const waiting = documents.filter(({ waits }) => waits !== null).length;
      const { rows } = await database.pool.query(
        `SELECT count(*)::int AS count FROM saves WHERE state IN ('pending', 'assembling')`,
      );
      expect(rows[0].count).toBe(waiting);
      expect(await count('forgotten')).toBe(documents.filter(({ isForgotten }) => isForgotten).length);
    }),
    { numRuns: 40 },
  );
});

test('[TY3] of callbacks that ended, what says something of a document’s present life is kept', async () => {
  await document('open', { state: 'open', openedDays: 4, nextIndex: 1 });
  await callback('open', { status: 6, days: 5 });
  await callback('open', { status: 6, days: 3 });
  const last = await callback('open', { status: 6, days: 2 });
  await callback('gone', { days: 3 });
  const young = await callback('gone', { days: 0.2 });
  const waits = await callback('gone', { days: 3, state: 'pending' });
  expect(await tidier().tidy()).toMatchObject({ saves: 3 });
  const { rows } = await database.pool.query('SELECT id::text FROM saves ORDER BY id');
  expect(rows.map(({ id }) => id)).toEqual([last, young, waits]);
});

test('[TY4] results of opening go when no document has their source and nobody asked for them lately', async () => {
  const sources = new OpenedSources(database.pool);
  const opening = (sourceHash: string) => ({ sourceHash, model: 'word' as const, variant: '' });
  for (const hash of ['used', 'unused', 'asked for']) {
    await sources.store(opening(hash), { ok: true, files: { 'Editor.bin': hash } });
  }
  await database.pool.query(`UPDATE opened_sources SET opened_at = $1`, [ago(3)]);
  await document('live', { state: 'open', nextIndex: 1, sourceHash: 'used' });
  expect(await sources.find(opening('asked for'))).toMatchObject({ ok: true });
  expect(await tidier().tidy()).toMatchObject({ sources: 1 });
  expect(await sources.find(opening('used'))).toMatchObject({ ok: true });
  expect(await sources.find(opening('asked for'))).toMatchObject({ ok: true });
  expect(await sources.find(opening('unused'))).toBeNull();
});

test('[BO13] the docx that a document is edited as stays as long as the document, with what opening it gave', async () => {
  const sources = new OpenedSources(database.pool);
  const base = await blob('base', 3);
  const opened = await blob('opened', 3);
  const opening = { sourceHash: base, model: 'word' as const, variant: '' };
  await sources.store(opening, { ok: true, files: { 'Editor.bin': opened } });
  await database.pool.query(`UPDATE opened_sources SET opened_at = $1`, [ago(3)]);
  await document('live', { state: 'open', nextIndex: 1, sourceHash: 'source' });
  await database.pool.query('UPDATE documents SET base_hash = $1', [base]);
  expect(await tidier().tidy()).toMatchObject({ sources: 0, blobs: 0 });
  await database.pool.query('DELETE FROM documents');
  expect(await tidier().tidy()).toMatchObject({ sources: 1, blobs: 2 });
});

test('[TY5] files go when nothing names them and they are old, no matter who named them', async () => {
  const named = {
    source: await blob('source', 3),
    result: await blob('result', 3),
    changes: await blob('changes', 3),
    form: await blob('form', 3),
    picture: await blob('picture', 3),
    opened: await blob('opened', 3),
    converted: await blob('converted', 3),
    forgotten: await blob('forgotten', 3),
  };
  const young = await blob('nobody’s, and young', 0.5);
  await blob('nobody’s', 3);
  await blob('nobody’s either', 3);
  await document('live', { state: 'open', nextIndex: 1, sourceHash: named.source });
  const id = await callback('live', { state: 'pending', hash: named.result });
  await database.pool.query('UPDATE saves SET changes_hash = $2, form_data_hash = $3 WHERE id = $1', [
    id,
    named.changes,
    named.form,
  ]);
  await database.pool.query(`INSERT INTO media (key, path, hash) VALUES ('live', 'media/a.png', $1)`, [
    named.picture,
  ]);
  await new OpenedSources(database.pool).store(
    { sourceHash: named.source, model: 'word', variant: '' },
    { ok: true, files: { 'Editor.bin': named.opened } },
  );
  await database.pool.query(
    `INSERT INTO conversions (id, source_hash, from_type, to_type, options, result_hash, state)
     VALUES ('c', $1, 'docx', 'pdf', '{}', $2, 'made')`,
    [named.source, named.converted],
  );
  await database.pool.query(
    `INSERT INTO forgotten (key, save_id, source_hash, result_hash, file_type) VALUES ('f', $1, $2, $3, 'docx')`,
    [id, named.source, named.forgotten],
  );
  expect(await tidier().tidy()).toMatchObject({ blobs: 2 });
  for (const hash of [...Object.values(named), young]) expect(await blobs.sizeOf(hash)).toBeGreaterThan(0);
});

test('[TY5] every column of the database that names a blob is known', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name LIKE '%hash%' ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    'checkpoints.hash',
    'conversions.result_hash',
    'conversions.source_hash',
    'documents.base_hash',
    'documents.source_hash',
    'forgotten.result_hash',
    'forgotten.source_hash',
    'media.hash',
    'opened_sources.source_hash',
    'saves.changes_hash',
    'saves.form_data_hash',
    'saves.result_hash',
  ]);
});

test('[TY6] a file that is stored again while it is being removed is there afterwards', async () => {
  const texts = Array.from({ length: 12 }, (_, at) => `content ${at}`);
  for (let round = 0; round < 15; round += 1) {
    for (const text of texts) await blob(text, 3);
    const other = new FileBlobStore(path.join(directory, 'blobs'));
    const stored = texts.map(async (text, at) => {
      for (let turn = 0; turn < at + round; turn += 1) await new Promise(setImmediate);
      return other.put(Buffer.from(text));
    });
    const [hashes] = await Promise.all([Promise.all(stored), tidier().tidy()]);
    for (const { hash } of hashes) {
      expect(
        createHash('sha256')
          .update(await other.read(hash))
          .digest('hex'),
      ).toBe(hash);
    }
    expect(await readdir(path.join(directory, 'blobs', 'incoming'))).toEqual([]);
  }
});

test('[TY7] of several nodes one tidies, and the next may when it has ended', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const first = Tidying.run(database.pool, async () => {
    begun();
    await held;
  });
  await isHeld;
  await document('idle');
  expect(await tidier().tidy()).toBeNull();
  expect(await keys()).toEqual(['idle']);
  release();
  expect(await first).toBe(true);
  expect(await tidier().tidy()).toMatchObject({ documents: 1 });
});

test('[TY8] who enters a document while it is removed gets it anew, and a session of the time before does not go on in it', async () => {
  const documents = new Documents(database.pool);
  await Promise.all(Array.from({ length: 40 }, (_, at) => document(`d${String(at).padStart(2, '0')}`)));
  const enter = (at: number) =>
    documents.enter({
      key: `d${String(at).padStart(2, '0')}`,
      editor: false,
      userId: 'a',
      userName: '',
      callbackUrl: null,
      baseUrl: '',
      fileType: 'docx',
      title: '',
      source: { url: null, vouched: false },
    });
  const [entered] = await Promise.all([
    Promise.all(Array.from({ length: 40 }, (_, at) => enter(at))),
    tidier().tidy(),
  ]);
  expect(await keys()).toHaveLength(40);
  for (const { row } of entered) {
    expect((await documents.find(row.key))?.userIndex).toBe(row.userIndex);
    expect(await documents.openingOf(row.key, row.userIndex, Date.now())).not.toBeNull();
  }
  const anew = entered.find(({ row }) => row.userIndex === 1);
  if (anew) expect(await documents.openingOf(anew.row.key, 1, ago(3).getTime())).toBeNull();
});

test('[CC2] results that take too much go with their files, the ones first that nobody asked for the longest', async () => {
  const records = new ConversionRecords(database.pool);
  const requests = new ConversionRequestRecords<{ hash: string }>(database.pool, 1_000);
  const hours = (count: number) => count / 24;
  /** A conversion of 100 bytes that was last asked for so many hours ago, and the request for it. */
  async function conversion(name: string, hoursAgo: number): Promise<{ source: string; result: string }> {
    const source = await blob(`source of ${name}`, hours(hoursAgo));
    const result = await blob(`result of ${name}`, hours(hoursAgo));
    const wanted = { id: name, sourceHash: source, fromType: 'txt', toType: 'pdf' };
    await records.wanted({ ...wanted, options: {}, media: {}, passwords: null });
    await records.end(name, { resultHash: result, resultType: 'pdf', storedBytes: 100 });
    const { mine } = await requests.claim(name, 'a claim');
    expect(mine).toBe(true);
    await requests.concern(name, 'a claim', name);
    await requests.end(name, 'a claim', { hash: result });
    await database.pool.query('UPDATE conversions SET asked_at = $2 WHERE id = $1', [
      name,
      ago(hours(hoursAgo)),
    ]);
    return { source, result };
  }
  const files = {
    old: await conversion('old', 20),
    used: await conversion('used', 21),
    edited: await conversion('edited', 19),
    young: await conversion('young', 10),
    linked: await conversion('linked', 1),
  };
  // Somebody is given the link of this one now, and a document has the result of that.
  expect(await requests.find('used')).toEqual({ hash: files.used.result });
  await document('edited', { days: 0, sourceHash: files.edited.result });

  const limited = (maxBytes: number) => tidier(blobs, { maxBytes, linkedForMs: 2 * 3_600_000 });
  expect(await limited(500).tidy()).toMatchObject({ conversions: 0, blobs: 0 });
  expect(await limited(300).tidy()).toMatchObject({ conversions: 2, blobs: 3 });
  const isThere = async (hash: string) => (await blobs.sizeOf(hash)) !== undefined;
  const there = async ({ source, result }: { source: string; result: string }) => [
    await isThere(source),
    await isThere(result),
  ];
  expect(await there(files.old)).toEqual([false, false]);
  expect(await there(files.edited)).toEqual([false, true]);
  expect(await requests.find('old')).toBeNull();
  // However little there may be, no file goes to which a link leads.
  expect(await limited(1).tidy()).toMatchObject({ conversions: 1 });
  expect(await there(files.young)).toEqual([false, false]);
  for (const one of [files.used, files.linked]) expect(await there(one)).toEqual([true, true]);
});
