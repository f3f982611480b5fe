import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/support/postgres.ts';
import { PostgresChangeLog } from './change-log.ts';
import { type Assembly, Closing } from './closing.ts';
import type { DocumentRow } from './document-row.ts';
import { Documents } from './documents.ts';
import { ForcedSaves } from './forced-saves.ts';
import { GroupCommit } from './group-commit.ts';
import { Outbox } from './outbox.ts';
import type { SaveRow } from './save-row.ts';

let database: TestDatabase;
let log: PostgresChangeLog;
let documents: Documents;
let closing: Closing;
let outbox: Outbox;

beforeAll(async () => {
  database = await openTestDatabase();
  log = new PostgresChangeLog(database.pool, new GroupCommit(database.pool, 0));
  documents = new Documents(database.pool);
  closing = new Closing(database.pool);
  outbox = new Outbox(database.pool, 'node', 60_000);
});
afterAll(() => database?.close());

const fileOf = (hash: string): Assembly => ({
  result: { hash, fileType: 'docx' },
  changesHash: null,
  history: null,
  skipped: 0,
});
const append = (key: string, firstIndex: number, change: string) =>
  log.append({
    key,
    batch: {
      ...{ firstIndex, nextIndex: firstIndex + 1, savedAtMs: Date.now(), changes: JSON.stringify([change]) },
      author: { uniqueId: 'ann1', userId: 'ann', name: 'Ann' },
    },
  });

/** A document that Ann edits, with one change. */
async function open(key: string): Promise<void> {
  await documents.enter({
    ...{ key, editor: true, userId: 'ann', userName: 'Ann', callbackUrl: 'http://host.test/callback' },
    ...{ baseUrl: 'http://quire.test', fileType: 'docx', title: 'a.docx' },
    ...{ source: { url: null, vouched: false }, storeWithinMs: null },
  });
  const opened = { sourceHash: 'base', model: 'word', fileType: 'docx', editorsPresent: true } as const;
  await documents.opened(key, opened);
  expect(await append(key, 0, 'a')).toEqual({ kind: 'appended' });
}

/** Everybody leaves, and the file is to be assembled. */
async function leave(key: string): Promise<DocumentRow> {
  await closing.lastEditorLeft(key, { userId: 'ann', callbackUrl: null }, 0);
  return (await closing.beginAssembly(key))!;
}

const claimed = async (key: string): Promise<SaveRow[]> =>
  (await outbox.claim(20)).filter((save) => save.key === key);

describe('what comes late', () => {
  it('[GU5] a file that was assembled before somebody came back and left again is not handed over', async () => {
    const key = 'late-file';
    await open(key);
    const first = await leave(key);
    await documents.resume(key);
    await append(key, 1, 'b');
    const second = await leave(key);
    expect(await closing.finishAssembly(first, fileOf('old'))).toBe(false);
    expect(await claimed(key)).toEqual([]);
    expect(await closing.finishAssembly(second, fileOf('new'))).toBe(true);
    expect(await claimed(key)).toMatchObject([{ status: 2, resultHash: 'new', endIndex: 2 }]);
  });

  it('[GU5] a receipt for the file before deletes nothing of what was written since', async () => {
    const key = 'late-receipt';
    await open(key);
    await closing.finishAssembly(await leave(key), fileOf('old'));
    const [old] = await claimed(key);
    await outbox.retryLater(old!, 'no answer in time', 60_000, new Date());
    await documents.reopen(key, { url: null, vouched: false });
    await append(key, 1, 'b');
    await closing.finishAssembly(await leave(key), fileOf('new'));
    await outbox.delivered(old!);
    expect(await documents.find(key)).toMatchObject({ state: 'delivering', nextIndex: 2 });
    expect(await log.sizeOf(key, 2)).toBeGreaterThan(0);
    const [save] = await claimed(key);
    expect(save).toMatchObject({ resultHash: 'new' });
    await outbox.delivered(save!);
    expect(await documents.find(key)).toMatchObject({ state: 'closed', nextIndex: 0 });
    expect(await log.sizeOf(key, 2)).toBe(0);
  });

  it('[FV12] the last file waits for a forced save that is not dealt with', async () => {
    const key = 'forced-first';
    await open(key);
    const forcedSaves = new ForcedSaves(database.pool);
    await forcedSaves.request({ key, type: 1, initiator: null, userData: null });
    expect(await forcedSaves.finish((await forcedSaves.begin(key))!, fileOf('forced'))).toBe(true);
    await append(key, 1, 'b');
    await closing.finishAssembly(await leave(key), fileOf('last'));
    const [forced, ...others] = await claimed(key);
    expect(forced).toMatchObject({ status: 6, resultHash: 'forced' });
    expect(others).toEqual([]);
    expect(await claimed(key)).toEqual([]);
    await outbox.forcedDelivered(forced!);
    expect(await claimed(key)).toMatchObject([{ status: 2, resultHash: 'last' }]);
  });
});
