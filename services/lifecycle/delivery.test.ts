import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresChangeLog } from '../../db/change-log.ts';
import { Closing } from '../../db/closing.ts';
import { Documents } from '../../db/documents.ts';
import { GroupCommit } from '../../db/group-commit.ts';
import { LostFiles } from '../../db/lost-files.ts';
import { Outbox } from '../../db/outbox.ts';
import { RedeliveryRecords } from '../../db/redelivery.ts';
import type { SaveRow } from '../../db/save-row.ts';
import { eventually } from '../../test/support/eventually.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { FileLinks } from '../http/file-links.ts';
import { Delivery, retryDelayMs, type SavedFiles } from './delivery.ts';
import type { CallbackOutcome } from './integrator.ts';

const longestMs = 300_000;
const hourMs = 3_600_000;

it('[SD19] pauses between attempts double from the first to five minutes, and no two servers keep the same time', () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const firstMs = fc.integer({ min: 50, max: longestMs });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), firstMs, chance, (attempts, pauseMs, random) => {
      const wantedMs = Math.min(longestMs, pauseMs * 2 ** (attempts - 1));
      const delayMs = retryDelayMs(attempts, pauseMs, () => random);
      expect(delayMs).toBeGreaterThanOrEqual(Math.floor(wantedMs * 0.9));
      expect(delayMs).toBeLessThanOrEqual(Math.ceil(wantedMs * 1.1));
    }),
  );
  const many = new Set(Array.from({ length: 50 }, () => retryDelayMs(9, 1_000)));
  expect(many.size).toBeGreaterThan(10);
});

/** A delivery that tries for an hour; `outcomes` gets what was counted. */
function deliveryOf(
  outbox: Outbox,
  call: (url: string) => Promise<CallbackOutcome>,
  blobs: SavedFiles['blobs'],
  {
    outcomes = [],
    lost = null as unknown as LostFiles,
    forced = () => undefined,
  }: { outcomes?: string[]; lost?: LostFiles; forced?: () => void } = {},
): Delivery {
  const nothing = () => undefined;
  return new Delivery({
    outbox,
    integrator: { call },
    links: new FileLinks({ link: 'secret' }, { temporaryLinkLifeS: 60, publicUrl: undefined }),
    retry: { forMs: hourMs, pauseMs: 1_000 },
    events: {
      ended: nothing,
      forced,
      refused: nothing,
      attempted: (_status, _to, outcome) => outcomes.push(outcome),
      faultPoint: nothing,
    },
    log: silentLog,
    hostStorage: null,
    files: { blobs, lost },
  });
}

it('[DL21] who stops waits for the callbacks that are being claimed', async () => {
  const done: string[] = [];
  let give: (saves: SaveRow[]) => void = () => undefined;
  const outbox = {
    claim: () => new Promise<SaveRow[]>((resolve) => (give = resolve)),
    nextDueInMs: async () => null,
    isVetoed: async () => false,
    delivered: async () => void done.push('recorded'),
  } as unknown as Outbox;
  const call = async (): Promise<CallbackOutcome> => {
    done.push('called');
    return { accepted: true };
  };
  const delivery = deliveryOf(outbox, call, { sizeOf: async () => 1, delete: async () => undefined });
  delivery.wake();
  const stopped = delivery.stop(60_000).then(() => done.push('stopped'));
  const closed = {
    key: 'd',
    id: '1',
    status: 4,
    attempts: 1,
    callbackUrl: 'http://host.test/',
    leftUserId: null,
  };
  const row = { ...closed, routing: null, resultHash: null, forceType: null } as unknown as SaveRow;
  give([row]);
  await stopped;
  expect(done).toEqual(['called', 'recorded', 'stopped']);
});

it('[SD21] that a forced save was refused is told when it is on record, so nobody joins it who asks again', async () => {
  const done: string[] = [];
  const row = {
    ...{ key: 'd', id: '1', status: 6, attempts: 1, callbackUrl: 'http://host.test/', forceType: 1 },
    ...{ leftUserId: null, routing: null, resultHash: null, firstAttemptAt: null },
  } as unknown as SaveRow;
  const due = [[row]];
  const outbox = {
    claim: async () => due.shift() ?? [],
    nextDueInMs: async () => null,
    isVetoed: async () => false,
    attemptsInVain: async () => 1,
    retryLater: async () => void done.push('recorded'),
  } as unknown as Outbox;
  const delivery = deliveryOf(
    outbox,
    async () => ({ accepted: false, reason: 'no' }),
    { sizeOf: async () => 1, delete: async () => undefined },
    { forced: () => void done.push('told') },
  );
  delivery.wake();
  await eventually(
    () => done.length,
    (length) => length === 2,
  );
  await delivery.stop(60_000);
  expect(done).toEqual(['recorded', 'told']);
});

describe('the time for which a callback is tried', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database?.close());

  /** A document whose file was made so long ago and waits in the outbox; resolves with the id of its save. */
  async function undelivered(key: string, agoMs: number): Promise<string> {
    const { pool } = database;
    const documents = new Documents(pool);
    const closing = new Closing(pool);
    await documents.enter({
      ...{ key, editor: true, userId: 'ann', userName: 'Ann', callbackUrl: 'http://host.test/callback' },
      ...{ baseUrl: 'http://quire.test', fileType: 'docx', title: 'a.docx' },
      ...{ source: { url: null, vouched: false }, storeWithinMs: null },
    });
    const opened = { sourceHash: 'base', model: 'word', fileType: 'docx', editorsPresent: true } as const;
    await documents.opened(key, opened);
    await new PostgresChangeLog(pool, new GroupCommit(pool, 0)).append({
      key,
      batch: {
        ...{ firstIndex: 0, nextIndex: 1, savedAtMs: Date.now(), changes: '["a"]' },
        author: { uniqueId: 'ann1', userId: 'ann', name: 'Ann' },
      },
    });
    await closing.lastEditorLeft(key, { userId: 'ann', callbackUrl: null }, 0);
    const document = (await closing.beginAssembly(key))!;
    const result = { hash: 'file', fileType: 'docx' };
    await closing.finishAssembly(document, { result, changesHash: null, history: null, skipped: 0 });
    const { rows } = await pool.query<{ id: string }>(
      `UPDATE saves SET created_at = created_at - $2 * interval '1 millisecond' WHERE key = $1 RETURNING id::text`,
      [key, agoMs],
    );
    await pool.query(
      `UPDATE documents SET opened_at = opened_at - $2 * interval '1 millisecond' WHERE key = $1`,
      [key, agoMs + 1],
    );
    return rows[0]!.id;
  }

  const saveOf = async (id: string) => {
    const { rows } = await database.pool.query<{
      state: string;
      attempts: number;
      firstAttemptAt: Date | null;
      isUnderWay: boolean;
      status: number;
      lastError: string | null;
      resultHash: string | null;
    }>(
      `SELECT status, last_error AS "lastError", result_hash AS "resultHash", state, attempts, first_attempt_at AS "firstAttemptAt", attempting_since IS NOT NULL AS "isUnderWay"
       FROM saves WHERE id = $1`,
      [id],
    );
    return rows[0]!;
  };

  /**
   * Makes the next attempt at a save now, and at no other; `call` says how it goes. The store has all blobs but `gone`. Resolves with what
   * became of the save; `outcomes` gets what was counted.
   */
  async function attempt(
    id: string,
    call: () => Promise<CallbackOutcome>,
    { gone = [], outcomes = [] }: { gone?: readonly string[]; outcomes?: string[] } = {},
  ) {
    const { attempts } = await saveOf(id);
    // Those that other tests have left are not due meanwhile.
    await database.pool.query(
      `UPDATE saves SET next_attempt_at = now() + CASE WHEN id = $1 THEN interval '0' ELSE interval '1 hour' END`,
      [id],
    );
    const blobs = {
      sizeOf: async (hash: string) => (gone.includes(hash) ? undefined : 1),
      delete: async () => undefined,
    };
    const outbox = new Outbox(database.pool, 'node', 60_000);
    const delivery = deliveryOf(outbox, call, blobs, { outcomes, lost: new LostFiles(database.pool) });
    delivery.wake();
    await eventually(
      async () => {
        const save = await saveOf(id);
        // What is reported begins to count its attempts anew.
        return save.attempts !== attempts && !save.isUnderWay;
      },
      (is) => is,
    );
    await delivery.stop(1_000);
    return saveOf(id);
  }

  /** The first attempt was so much earlier. */
  const age = (id: string, byMs: number) =>
    database.pool.query(
      `UPDATE saves SET first_attempt_at = first_attempt_at - $2 * interval '1 millisecond' WHERE id = $1`,
      [id, byMs],
    );
  const refused = async (): Promise<CallbackOutcome> => ({ accepted: false, reason: 'status 500' });
  const broken = () => Promise.reject(new Error('ENOSPC: no space left on device'));

  it('[CB6] an application that does not answer, however much waits for it, does not hold up what goes to another', async () => {
    const keys = Array.from({ length: 60 }, (_, number) => `silent-${number}`);
    for (const key of keys) await undelivered(key, 1_000);
    await undelivered('answered', 0);
    const { pool } = database;
    await pool.query(`UPDATE saves SET next_attempt_at = now() + interval '1 hour'`);
    await pool.query(
      `UPDATE saves SET next_attempt_at = now() - interval '1 hour', callback_url = 'http://Silent.test/a' WHERE key = ANY ($1)`,
      [keys],
    );
    await pool.query(
      `UPDATE saves SET next_attempt_at = now(), callback_url = 'http://other.test/b' WHERE key = 'answered'`,
    );
    const called: string[] = [];
    let answer: (outcome: CallbackOutcome) => void = () => undefined;
    const silent = new Promise<CallbackOutcome>((resolve) => {
      answer = resolve;
    });
    const call = (url: string): Promise<CallbackOutcome> => {
      called.push(new URL(url).host);
      return called.at(-1) === 'silent.test' ? silent : Promise.resolve({ accepted: true });
    };
    const blobs = { sizeOf: async () => 1, delete: async () => undefined };
    const delivery = deliveryOf(new Outbox(pool, 'node', 60_000), call, blobs);
    delivery.wake();
    await eventually(() => expect(called).toContain('other.test'));
    expect(called.length).toBeLessThan(48);
    // Once it answers, the rest follows.
    answer({ accepted: true });
    await eventually(() => expect(called).toHaveLength(61));
    await delivery.stop(60_000);
  });

  it('[DL10] begins with the first attempt at the address, however long the save has waited before', async () => {
    const id = await undelivered('late', 5 * hourMs);
    const first = await attempt(id, refused);
    expect(first).toMatchObject({ state: 'pending', attempts: 1 });
    expect(Date.now() - first.firstAttemptAt!.getTime()).toBeLessThan(hourMs);
    await age(id, hourMs / 2);
    const second = await attempt(id, refused);
    expect(second.state).toBe('pending');
    expect(first.firstAttemptAt!.getTime() - second.firstAttemptAt!.getTime()).toBe(hourMs / 2);
    await age(id, hourMs / 2);
    expect((await attempt(id, refused)).state).toBe('forgotten');
  });

  it('[DL11] does not end while nothing can be sent, and nobody is told that the integrator refuses', async () => {
    const id = await undelivered('unsent', 5 * hourMs);
    for (let count = 1; count <= 3; count += 1) {
      expect(await attempt(id, broken)).toMatchObject({
        ...{ state: 'pending', attempts: count, firstAttemptAt: null },
      });
    }
    const { refusedSince } = (await new Documents(database.pool).find('unsent'))!;
    expect(refusedSince).toBeNull();
    expect(await attempt(id, refused)).toMatchObject({ state: 'pending', firstAttemptAt: expect.any(Date) });
    await age(id, hourMs);
    expect((await attempt(id, broken)).state).toBe('pending');
    expect((await attempt(id, refused)).state).toBe('forgotten');
  });

  it('[DL12] is all there again for a save that is redelivered', async () => {
    const id = await undelivered('redelivered', 0);
    await attempt(id, refused);
    await age(id, hourMs);
    expect((await attempt(id, refused)).state).toBe('forgotten');
    const records = new RedeliveryRecords(database.pool);
    expect(await records.forgotten('redelivered')).toEqual({ kind: 'delivering' });
    expect(await attempt(id, refused)).toMatchObject({ state: 'pending', attempts: 1 });
  });

  it('[DL13] begins with the next attempt for a save that an earlier version has tried', async () => {
    const id = await undelivered('old', 5 * hourMs);
    await database.pool.query('UPDATE saves SET attempts = 40 WHERE id = $1', [id]);
    expect(await attempt(id, refused)).toMatchObject({ state: 'pending', firstAttemptAt: expect.any(Date) });
  });

  const stateOf = async (key: string) => (await new Documents(database.pool).find(key))!.state;
  const nowAndThen: () => Promise<CallbackOutcome> = () => Promise.reject(new Error('not asked'));

  it('[DR28] a file that is gone from the store is made anew where its base is there, three times at most', async () => {
    const { pool } = database;
    const closing = new Closing(pool);
    let id = await undelivered('gone', 0);
    for (let time = 1; time <= 3; time += 1) {
      await attempt(id, refused);
      const outcomes: string[] = [];
      const save = await attempt(id, nowAndThen, { gone: ['file'], outcomes });
      expect(save).toMatchObject({ state: 'superseded', lastError: expect.stringMatching(/^file-gone: /) });
      expect([outcomes, await stateOf('gone')]).toEqual([['made_anew'], 'assembling']);
      const document = (await new Documents(pool).find('gone'))!;
      const result = { hash: 'file', fileType: 'docx' };
      await closing.finishAssembly(document, { result, changesHash: null, history: null, skipped: 0 });
      const { rows } = await pool.query<{ id: string }>(
        `SELECT id::text FROM saves WHERE key = 'gone' AND state = 'pending'`,
      );
      id = rows[0]!.id;
    }
    await attempt(id, refused);
    expect(await attempt(id, nowAndThen, { gone: ['file'] })).toMatchObject({ state: 'pending' });
    expect(await stateOf('gone')).toBe('delivering');
  });

  it('[DR29] a file that cannot be made anew ends with its code when the time is over, and not before', async () => {
    const id = await undelivered('lost', 0);
    const gone = ['file', 'base'];
    await attempt(id, refused);
    await database.pool.query(`UPDATE documents SET refused_since = NULL WHERE key = 'lost'`);
    expect(await attempt(id, nowAndThen, { gone })).toMatchObject({
      ...{ state: 'pending', status: 2, lastError: expect.stringMatching(/^file-gone: /) },
    });
    // Nobody has refused anything.
    expect((await new Documents(database.pool).find('lost'))!.refusedSince).toBeNull();
    await age(id, hourMs);
    const outcomes: string[] = [];
    expect(await attempt(id, nowAndThen, { gone, outcomes })).toMatchObject({
      ...{ state: 'pending', status: 3, resultHash: null, firstAttemptAt: null },
    });
    // The integrator is told at once. While it does not listen the code stays to be seen.
    const untold = async () => {
      const save = await saveOf(id);
      return save.attempts === 1 && !save.isUnderWay && save.lastError;
    };
    await eventually(async () => expect(await untold()).toMatch(/^file-gone: .*not asked/));
    expect(outcomes[0]).toBe('file_gone');
    expect(await attempt(id, async () => ({ accepted: true }))).toMatchObject({ state: 'delivered' });
    expect(await stateOf('lost')).toBe('forgotten');
    // With the store restored, an operator has it made.
    expect(await new RedeliveryRecords(database.pool).forgotten('lost')).toMatchObject({
      kind: 'assembling',
    });
  });
});
