import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/support/postgres.ts';
import { PostgresChangeLog } from './change-log.ts';
import type { Assembly } from './closing.ts';
import { Documents } from './documents.ts';
import { ForcedSaves } from './forced-saves.ts';
import { GroupCommit } from './group-commit.ts';
import { Outbox } from './outbox.ts';
import type { SaveRow } from './save-row.ts';

let database: TestDatabase;
let log: PostgresChangeLog;
let documents: Documents;
let forcedSaves: ForcedSaves;
let outbox: Outbox;

beforeAll(async () => {
  database = await openTestDatabase();
  log = new PostgresChangeLog(database.pool, new GroupCommit(database.pool, 0));
  documents = new Documents(database.pool);
  forcedSaves = new ForcedSaves(database.pool);
  outbox = new Outbox(database.pool, 'node', 60_000);
});
afterAll(() => database?.close());

const assembly: Assembly = {
  result: { hash: 'a file', fileType: 'docx' },
  changesHash: null,
  history: null,
  skipped: 0,
};

const batch = (firstIndex: number, ...changes: string[]) => ({
  firstIndex,
  nextIndex: firstIndex + changes.length,
  author: { uniqueId: 'ann1', userId: 'ann', name: 'Ann' },
  savedAtMs: Date.now() - 60_000,
  changes: JSON.stringify(changes),
});

/** Lets a document's oldest unsaved change be so much older than it is. */
const age = (key: string, byMs: number) =>
  database.pool.query(
    `UPDATE documents SET unsaved_since = unsaved_since - $2 * interval '1 millisecond' WHERE key = $1`,
    [key, byMs],
  );

/** A document that Ann edits, with two changes. */
async function open(key: string, storeWithinMs: number | null = null): Promise<void> {
  await documents.enter({
    key,
    editor: true,
    userId: 'ann',
    userName: 'Ann',
    callbackUrl: 'http://host.test/callback',
    baseUrl: 'http://quire.test',
    fileType: 'docx',
    title: 'a.docx',
    source: { url: null, vouched: false },
    storeWithinMs,
  });
  await documents.opened(key, {
    sourceHash: 'base',
    model: 'word',
    fileType: 'docx',
    editorsPresent: true,
  });
  expect(await log.append({ key, batch: batch(0, 'a', 'b') })).toEqual({ kind: 'appended' });
}

const request = (key: string, userData: string | null = null) =>
  forcedSaves.request({ key, type: 1, initiator: null, userData });

describe('forced saves on record', () => {
  it('[FV20] what was made of a log that has been rewritten is not recorded; the save is made of the present log', async () => {
    const key = 'rewritten';
    await open(key);
    expect(await request(key)).toMatchObject({ kind: 'started' });
    const begun = (await forcedSaves.begin(key))!;
    expect(begun).toMatchObject({ endIndex: 2, document: { key, nextIndex: 2 } });
    await log.replaceFrom({ key, expectedEnd: 2, fromIndex: 1, by: 'ann1', batch: batch(1, 'c') });
    expect(await forcedSaves.finish(begun, assembly)).toBe(false);
    await forcedSaves.renew(begun);
    const again = (await forcedSaves.begin(key))!;
    expect(again).toMatchObject({ id: begun.id, endIndex: 2, logVersion: begun.logVersion + 1 });
    expect(await forcedSaves.finish(begun, assembly)).toBe(false);
    expect(await forcedSaves.finish(again, assembly)).toBe(true);
    expect(await forcedSaves.finish(again, assembly)).toBe(false);
    expect(await forcedSaves.begin(key)).toBeNull();
    const [save] = (await outbox.claim(5)).filter((one) => one.key === key);
    expect(await outbox.forcedDelivered(save!)).toMatchObject({ index: 2 });
    expect(await request(key)).toEqual({ kind: 'unchanged' });
  });

  it('[FV21] one that waits takes up what came since, one that was begun does not; each counts what it holds', async () => {
    const key = 'growing';
    await open(key);
    const started = await request(key);
    await log.append({ key, batch: batch(2, 'c') });
    expect(await request(key)).toEqual({ ...started, kind: 'joined' });
    const begun = (await forcedSaves.begin(key))!;
    expect(begun.endIndex).toBe(3);
    expect(await request(key)).toEqual({ ...started, kind: 'joined' });
    await log.append({ key, batch: batch(3, 'd') });
    expect(await request(key)).toMatchObject({ kind: 'started' });
    expect(await forcedSaves.finish(begun, assembly)).toBe(true);
    const [save] = (await outbox.claim(5)).filter((one) => one.key === key);
    expect(await outbox.forcedDelivered(save!)).toMatchObject({ index: 3 });
    expect(await documents.find(key)).toMatchObject({ storedIndex: 3, nextIndex: 4, state: 'open' });
    expect((await forcedSaves.begin(key))?.endIndex).toBe(4);
  });

  it('[FV22] one that nobody makes in time has failed, and the next request begins anew', async () => {
    const key = 'overdue';
    await open(key);
    await request(key);
    const begun = (await forcedSaves.begin(key))!;
    expect(await forcedSaves.failOverdue(60_000)).toBe(false);
    expect(await forcedSaves.unfinished()).toContain(key);
    expect(await forcedSaves.failOverdue(0)).toBe(true);
    expect(await forcedSaves.unfinished()).not.toContain(key);
    expect(await forcedSaves.finish(begun, assembly)).toBe(false);
    const claimed = (await outbox.claim(5)).filter((save) => save.key === key);
    expect(claimed).toMatchObject([{ status: 7, resultHash: null }]);
    expect(await request(key)).toMatchObject({ kind: 'started' });
  });

  it('[FV23] many requests at the same time are one save', async () => {
    const key = 'crowd';
    await open(key);
    const requested = await Promise.all(Array.from({ length: 8 }, () => request(key)));
    expect(requested.map(({ kind }) => kind).sort()).toEqual([...Array(7).fill('joined'), 'started']);
  });

  it('[FV24] a receipt of an earlier life of the key says nothing of the present one', async () => {
    const key = 'again';
    await open(key);
    await request(key);
    await forcedSaves.finish((await forcedSaves.begin(key))!, assembly);
    const save = (await outbox.claim(5)).find((one) => one.key === key)!;
    await database.pool.query(
      `UPDATE documents SET state = 'open', log_version = log_version + 1, opened_at = now() WHERE key = $1`,
      [key],
    );
    expect(await outbox.forcedDelivered(save)).toBeNull();
    expect(await documents.find(key)).toMatchObject({ storedIndex: 0, storedAt: null });
  });

  it('[FV25] the timer finds what waits too long, once', async () => {
    const key = 'waiting';
    await open(key, 60_000);
    expect(await forcedSaves.due()).not.toContain(key);
    await age(key, 31_000);
    expect(await forcedSaves.due()).toContain(key);
    await request(key);
    expect(await forcedSaves.due()).not.toContain(key);
  });

  it('[SD20] while a storage refuses, the timer makes no new file and pauses count for the document; a request by hand is tried at once', async () => {
    const key = 'refusing';
    await open(key, 60_000);
    await request(key);
    await forcedSaves.finish((await forcedSaves.begin(key))!, assembly);
    const attempt = async () => (await outbox.claim(20)).filter((one) => one.key === key);
    const refuse = async (save: SaveRow) => {
      await outbox.retryLater(save, 'no', 0, new Date());
      return outbox.attemptsInVain(save);
    };
    expect(await refuse((await attempt())[0]!)).toBe(1);
    expect(await refuse((await attempt())[0]!)).toBe(2);
    await log.append({ key, batch: batch(2, 'c') });
    await age(key, 600_000);
    await database.pool.query(`UPDATE saves SET created_at = now() - interval '1 hour' WHERE key = $1`, [
      key,
    ]);
    expect(await forcedSaves.due()).not.toContain(key);
    expect(await request(key)).toMatchObject({ kind: 'started' });
    await forcedSaves.finish((await forcedSaves.begin(key))!, assembly);
    const [newest, ...others] = await attempt();
    expect([newest!.endIndex, newest!.attempts, others]).toEqual([3, 1, []]);
    expect(await refuse(newest!)).toBe(3);
    const [last] = await attempt();
    expect(await outbox.forcedDelivered(last!)).toMatchObject({ index: 3 });
    await log.append({ key, batch: batch(3, 'd') });
    await age(key, 600_000);
    await database.pool.query(`UPDATE saves SET created_at = now() - interval '1 hour' WHERE key = $1`, [
      key,
    ]);
    expect(await forcedSaves.due()).toContain(key);
    await request(key);
    await forcedSaves.finish((await forcedSaves.begin(key))!, assembly);
    expect(await refuse((await attempt())[0]!)).toBe(1);
  });
});
