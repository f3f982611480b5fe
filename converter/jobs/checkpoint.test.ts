import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresChangeLog } from '../../db/change-log.ts';
import { Checkpoints } from '../../db/checkpoints.ts';
import { Closing } from '../../db/closing.ts';
import { Documents } from '../../db/documents.ts';
import { ForcedSaves } from '../../db/forced-saves.ts';
import { GroupCommit } from '../../db/group-commit.ts';
import { Media } from '../../db/media.ts';
import { OpenedSources } from '../../db/opened-sources.ts';
import { Outbox } from '../../db/outbox.ts';
import { kinds } from '../../model/kinds.ts';
import { FileBlobStore } from '../../platform/adapters/file-blob-store.ts';
import { loadConfig } from '../../platform/config.ts';
import { CheckpointTimer } from '../../services/lifecycle/checkpoint-timer.ts';
import { Tidier } from '../../services/lifecycle/tidier.ts';
import { changesOf } from '../../test/model/random-edits.ts';
import { buildDocx } from '../../test/support/docx-fixture.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { LaneLimit } from '../engines/concurrency-limits.ts';
import { ConversionEngines } from '../engines/conversion-engines.ts';
import { convert, type EngineResult, type EngineTask } from '../engines/engine-thread.ts';
import { openDocx } from '../engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../engines/ooxml/docx/testing/assemble-docx.ts';
import { sourceLimits } from '../source-checks/source-limits.ts';
import { assembleDocument } from './assembly.ts';
import { makeCheckpoint } from './checkpoint.ts';
import { exportDocument } from './export.ts';
import { makeForcedSaves } from './forced-save.ts';

const base = buildDocx({ paragraphs: ['first', 'second', 'third'] });
const log = { info() {}, warn() {}, error: console.error };

let database: TestDatabase;
let directory: string;
let blobs: FileBlobStore;
let parts: ReturnType<typeof partsOf>;
/** How many changes each task of an engine was given. */
const applied: number[] = [];

function partsOf() {
  const { pool } = database;
  const run = async (task: EngineTask): Promise<EngineResult> => {
    if (task.kind === 'assemble' || task.kind === 'checkpoint') applied.push(task.changes.length);
    return convert(task);
  };
  return {
    ...{
      blobs,
      x2t: null,
      sourceLimits: sourceLimits(loadConfig({})),
      sealing: {} as never,
      engines: { run },
      faultPoint: () => {},
    },
    ...{
      conversionEngines: new ConversionEngines([]),
      assemblyFormatAsOrigin: true,
      making: new LaneLimit(1),
      lane: 'saving' as const,
    },
    log: new PostgresChangeLog(pool, new GroupCommit(pool, 0)),
    media: new Media(pool),
    openedSources: new OpenedSources(pool),
    checkpoints: new Checkpoints(pool, kinds.models),
    documents: new Documents(pool),
    forcedSaves: new ForcedSaves(pool),
    closing: new Closing(pool),
    checkpointEvery: 1,
  };
}

beforeAll(async () => {
  database = await openTestDatabase();
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-checkpoints-'));
  blobs = new FileBlobStore(directory);
  parts = partsOf();
});
afterAll(async () => {
  await database?.close();
  await rm(directory, { recursive: true, force: true });
});

async function open(key: string): Promise<void> {
  await parts.documents.enter({
    ...{ key, editor: true, userId: 'ann', userName: 'Ann', callbackUrl: 'http://host.test/' },
    ...{ baseUrl: 'http://quire.test', fileType: 'docx', title: 'a', source: { url: null, vouched: false } },
  });
  const { hash: sourceHash } = await blobs.put(base);
  await parts.documents.opened(key, { sourceHash, model: 'word', fileType: 'docx', editorsPresent: true });
}

/** Changes that put one letter each at the beginning of the document. */
const letters = (text: string) =>
  [...text].flatMap((letter) =>
    changesOf(openDocx(base).doc, [{ kind: 0, from: 0.02, to: 0, text: letter }]),
  );

const batch = (firstIndex: number, changes: readonly string[]) => ({
  ...{ firstIndex, nextIndex: firstIndex + changes.length, savedAtMs: Date.now() },
  author: { uniqueId: 'ann1', userId: 'ann', name: 'Ann' },
  changes: JSON.stringify(changes),
});

const append = async (key: string, changes: readonly string[]) => {
  const { nextIndex } = (await parts.documents.find(key))!;
  const { kind } = await parts.log.append({ key, batch: batch(nextIndex, changes) });
  expect(kind).toBe('appended');
};

/** Makes a forced save; its file, and how many changes an engine had to apply for it. */
async function save(key: string): Promise<{ file: Buffer; archive: string[]; applied: number }> {
  await parts.forcedSaves.request({ key, type: 0, initiator: null, userData: String(Math.random()) });
  applied.length = 0;
  const { saves } = await makeForcedSaves({ key }, parts);
  expect(saves).toMatchObject([{ kind: 'assembled' }]);
  const { rows } = await database.pool.query<{ result: string; changes: string }>(
    `UPDATE saves SET state = 'delivered', ended_at = now() WHERE key = $1 AND state = 'pending'
     RETURNING result_hash AS result, changes_hash AS changes`,
    [key],
  );
  const archive = unzipSync(await blobs.read(rows[0]!.changes));
  return {
    file: await blobs.read(rows[0]!.result),
    archive: Object.values(archive).flatMap((json) => JSON.parse(strFromU8(json))),
    applied: applied.at(-1)!,
  };
}

const checkpointOf = async (key: string) => {
  const row = (await parts.documents.find(key))!;
  return parts.checkpoints.find(row, row.nextIndex);
};

describe('checkpoints', () => {
  it('[CK4] a forced save, a copy and the final file begin at the newest checkpoint and hold the whole log', async () => {
    await open('begin');
    const changes = letters('abcdefgh');
    await append('begin', changes.slice(0, 3));
    expect((await save('begin')).applied).toBe(3);
    await append('begin', changes.slice(3, 5));
    const second = await save('begin');
    expect(second.applied).toBe(2);
    expect(second.file).toEqual(Buffer.from(assembleDocx(base, changes.slice(0, 5)).bytes));
    expect(second.archive).toEqual(changes.slice(0, 5));
    await append('begin', changes.slice(5, 7));
    const { logVersion } = (await parts.documents.find('begin'))!;
    const copy = await exportDocument({ key: 'begin', logVersion, endIndex: 7 }, parts);
    expect(applied.at(-1)).toBe(2);
    expect(copy).toMatchObject({ kind: 'made' });
    // A copy of an earlier state cannot begin there.
    await exportDocument({ key: 'begin', logVersion, endIndex: 4 }, parts);
    expect(applied.at(-1)).toBe(4);
    await append('begin', changes.slice(7));
    await parts.closing.lastEditorLeft('begin', { userId: 'ann', callbackUrl: null }, 0);
    const document = (await parts.closing.beginAssembly('begin'))!;
    expect(await assembleDocument(document, parts)).toMatchObject({
      kind: 'assembled',
      applied: 8,
      skipped: 0,
    });
    expect(applied.at(-1)).toBe(1);
    const { rows } = await database.pool.query(
      `SELECT result_hash FROM saves WHERE key = 'begin' AND status = 2`,
    );
    expect(await blobs.read(rows[0].result_hash)).toEqual(Buffer.from(assembleDocx(base, changes).bytes));
  });

  it('[CK5] taking changes back voids a checkpoint that holds them, and no other', async () => {
    await open('undo');
    const changes = letters('abcdef');
    await append('undo', changes.slice(0, 4));
    await save('undo');
    await append('undo', changes.slice(4));
    const undo = { key: 'undo', by: 'ann1' };
    await parts.log.replaceFrom({ ...undo, expectedEnd: 6, fromIndex: 5, batch: null });
    expect(await checkpointOf('undo')).toMatchObject({ endIndex: 4 });
    const kept = await save('undo');
    expect(kept.applied).toBe(1);
    expect(kept.file).toEqual(Buffer.from(assembleDocx(base, changes.slice(0, 5)).bytes));
    const other = letters('xyz');
    await parts.log.replaceFrom({ ...undo, expectedEnd: 5, fromIndex: 2, batch: batch(2, other) });
    expect(await checkpointOf('undo')).toBeNull();
    const anew = await save('undo');
    expect(anew.applied).toBe(5);
    expect(anew.file).toEqual(Buffer.from(assembleDocx(base, [...changes.slice(0, 2), ...other]).bytes));
  });

  it('[CK6] a checkpoint that is damaged, missing or none at all gives way to the whole log', async () => {
    await open('damaged');
    const changes = letters('abcd');
    await append('damaged', changes.slice(0, 3));
    await save('damaged');
    await append('damaged', changes.slice(3));
    const whole = Buffer.from(assembleDocx(base, changes).bytes);
    const ruin = [
      (hash: string) => writeFile(fileOf(hash), 'damaged'),
      (hash: string) => rm(fileOf(hash)),
      async () => {
        const { hash } = await blobs.put(Buffer.from('{"format":"another"}'));
        await database.pool.query('UPDATE checkpoints SET hash = $1', [hash]);
      },
    ];
    for (const one of ruin) {
      await one((await checkpointOf('damaged'))!.hash);
      const saved = await save('damaged');
      expect(saved.applied).toBe(4);
      expect(saved.file).toEqual(whole);
      // Another one has taken its place, in a store that has to write it again.
      blobs = new FileBlobStore(directory);
      parts = partsOf();
      expect((await save('damaged')).applied).toBe(0);
    }
  });

  it('[CK7] a document in which much was changed gets one while it is edited', async () => {
    parts = { ...parts, checkpointEvery: 5 };
    await open('busy');
    await append('busy', letters('abcd'));
    expect(await parts.checkpoints.due(5, 10)).not.toContain('busy');
    await append('busy', letters('ef'));
    expect(await parts.checkpoints.due(5, 10)).toContain('busy');
    const reports: unknown[] = [];
    const ask = async (job: { data: object }) => {
      reports.push(await makeCheckpoint(job.data as { key: string }, parts));
    };
    const timer = new CheckpointTimer({
      ...{ checkpoints: parts.checkpoints, queue: { ask }, afterChanges: 5, everyMs: 60_000, log },
    });
    await timer.look();
    expect(reports).toContainEqual({ kind: 'made', changes: 6 });
    timer.stop();
    expect(await parts.checkpoints.due(5, 10)).not.toContain('busy');
    expect(await makeCheckpoint({ key: 'busy' }, parts)).toEqual({ kind: 'not-needed', changes: 0 });
    expect((await save('busy')).applied).toBe(0);
    parts = { ...parts, checkpointEvery: 0 };
    expect((await save('busy')).applied).toBe(6);
    parts = partsOf();
  });

  it('[CK8] checkpoints go with the log, and their files when nothing names them any more', async () => {
    await open('gone');
    await append('gone', letters('abc'));
    await save('gone');
    const { hash } = (await checkpointOf('gone'))!;
    const tidier = new Tidier({
      ...{ pool: database.pool, blobs, isAttached: () => false, keepMs: 0, keepFilesMs: 0, everyMs: 0 },
      conversions: { maxBytes: 0, linkedForMs: 0 },
      jobs: { removeEnded: async () => 0 },
      ...{ onTidied: () => {}, log },
    } as unknown as ConstructorParameters<typeof Tidier>[0]);
    await tidier.tidy();
    expect(await blobs.sizeOf(hash)).toBeGreaterThan(0);
    await parts.closing.lastEditorLeft('gone', { userId: 'ann', callbackUrl: null }, 0);
    await assembleDocument((await parts.closing.beginAssembly('gone'))!, parts);
    const outbox = new Outbox(database.pool, 'node', 60_000);
    const save2 = (await outbox.claim(100)).find(({ key, status }) => key === 'gone' && status === 2)!;
    await outbox.delivered(save2);
    const { rowCount } = await database.pool.query(`SELECT FROM checkpoints WHERE key = 'gone'`);
    expect(rowCount).toBe(0);
    await tidier.tidy();
    expect(await blobs.sizeOf(hash)).toBeUndefined();
  });

  it('[CK9] a document that was removed and made anew under its key does not take up the checkpoint', async () => {
    await open('again');
    await append('again', letters('abc'));
    await save('again');
    // As a node of an earlier version removes it, which knows no checkpoints.
    await database.pool.query(`DELETE FROM documents WHERE key = 'again'`);
    await database.pool.query(`DELETE FROM batches WHERE key = 'again'`);
    await open('again');
    const changes = letters('uvwxyz');
    await append('again', changes);
    const saved = await save('again');
    expect(saved.applied).toBe(6);
    expect(saved.file).toEqual(Buffer.from(assembleDocx(base, changes).bytes));
    expect(await checkpointOf('again')).toMatchObject({ endIndex: 6 });
  });
});

const fileOf = (hash: string) => path.join(directory, hash.slice(0, 2), hash.slice(2, 4), hash);
