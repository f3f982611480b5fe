import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeLog, Replacement, StoredBatch } from '../../platform/ports/change-log.ts';

/** A change log under test, with a way to make documents in it. */
export interface LogUnderTest {
  log: ChangeLog;
  /** Makes a document in a state. */
  create(key: string, state: string): Promise<void>;
  close(): Promise<void>;
}

export const batchAt = (firstIndex: number, changes: string[], author = 'ann1'): StoredBatch => ({
  firstIndex,
  nextIndex: firstIndex + changes.length,
  author: { uniqueId: author, userId: author.slice(0, -1), name: `Name of ${author} "quoted" \u2028` },
  savedAtMs: 1_760_000_000_000,
  changes: JSON.stringify(changes),
});

/** What ann takes back, and puts in its place. */
const replacing = (
  key: string,
  expectedEnd: number,
  fromIndex: number,
  batch: StoredBatch | null,
): Replacement => ({ key, expectedEnd, fromIndex, by: 'ann1', batch });

/** What every change log does. */
export function describeChangeLog(name: string, open: () => Promise<LogUnderTest>): void {
  describe(`change log: ${name}`, () => {
    let under: LogUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());

    const newDocument = async (state = 'open') => {
      const key = `d-${randomUUID()}`;
      await under.create(key, state);
      return key;
    };
    const contents = async (key: string, firstIndex = 0, endIndex = 1_000_000) => {
      const batches: StoredBatch[] = [];
      for await (const page of under.log.read(key, firstIndex, endIndex)) batches.push(...page);
      return batches;
    };

    test('[CG1] what was appended is read back as it was, in order', async () => {
      const key = await newDocument();
      const batches = [batchAt(0, ['a', 'b']), batchAt(2, ['"\u0000\u001e\\ \ud83d\ude00'], 'bob2')];
      for (const batch of batches)
        expect(await under.log.append({ key, batch })).toEqual({ kind: 'appended' });
      expect(await contents(key)).toEqual(batches);
      expect(await contents(key, 1, 2)).toEqual([batches[0]]);
      expect(await contents(key, 2, 3)).toEqual([batches[1]]);
    });

    test('[RL9] a stamp is kept with its batch, also where the log is cut within it', async () => {
      const key = await newDocument();
      const stamped = (batch: StoredBatch, stamp: StoredBatch['author']['stamp']): StoredBatch => ({
        ...batch,
        author: { ...batch.author, stamp },
      });
      const limited = stamped(batchAt(0, ['a', 'b', 'c']), { name: 'A "\u2028', may: ['review', 'comment'] });
      const full = stamped(batchAt(2, ['d'], 'bob2'), { name: 'B' });
      await under.log.append({ key, batch: limited });
      expect(await under.log.replaceFrom(replacing(key, 3, 2, full))).toEqual({ kind: 'appended' });
      await under.log.append({ key, batch: batchAt(3, ['e']) });
      expect((await contents(key)).map(({ author }) => author.stamp)).toEqual([
        limited.author.stamp,
        full.author.stamp,
        undefined,
      ]);
    });

    test('[CG8] the size of what begins before an index is that of its text', async () => {
      const key = await newDocument();
      const batches = [batchAt(0, ['a', 'b']), batchAt(2, ['ü\n']), batchAt(3, ['c'])];
      for (const batch of batches) await under.log.append({ key, batch });
      const bytes = batches.map(({ changes }) => Buffer.byteLength(changes));
      expect(await under.log.sizeOf(key, 0)).toBe(0);
      expect(await under.log.sizeOf(key, 1)).toBe(bytes[0]);
      expect(await under.log.sizeOf(key, 4)).toBe(bytes[0]! + bytes[1]! + bytes[2]!);
      expect(await under.log.sizeOf('nobody', 4)).toBe(0);
    });

    test('[CG11] of the size, people with a part of the rights have what they made, in all their sessions', async () => {
      const key = await newDocument();
      const made = (batch: StoredBatch, may?: ('comment' | 'fill')[]): StoredBatch => ({
        ...batch,
        author: { ...batch.author, stamp: { name: 'A', ...(may && { may }) } },
      });
      const batches = [
        made(batchAt(0, ['a', 'b'])),
        made(batchAt(2, ['ü\n']), ['comment']),
        made(batchAt(3, ['c'], 'ann7'), ['fill']),
        made(batchAt(4, ['dd'], 'bob2'), []),
        batchAt(5, ['e'], 'bob2'),
      ];
      for (const batch of batches) await under.log.append({ key, batch });
      const [, one, two, three] = batches.map(({ changes }) => Buffer.byteLength(changes));
      const all = one! + two! + three!;
      expect(await under.log.sizeOfLimited(key, 'ann')).toEqual({ all, own: one! + two! });
      expect(await under.log.sizeOfLimited(key, 'bob')).toEqual({ all, own: three! });
      expect(await under.log.sizeOfLimited(key, 'cem')).toEqual({ all, own: 0 });
      expect(await under.log.sizeOfLimited('nobody', 'ann')).toEqual({ all: 0, own: 0 });
    });

    test('[CG2] an append that does not begin at the end of the log writes nothing and learns the end', async () => {
      const key = await newDocument();
      await under.log.append({ key, batch: batchAt(0, ['a', 'b']) });
      for (const index of [0, 1, 3]) {
        const result = await under.log.append({ key, batch: batchAt(index, ['x']) });
        expect(result).toEqual({ kind: 'conflict', endIndex: 2, state: 'open' });
      }
      expect(await contents(key)).toHaveLength(1);
    });

    test('[CG3] a document that is not open, or is unknown, takes no changes', async () => {
      const key = await newDocument('closing');
      expect(await under.log.append({ key, batch: batchAt(0, ['a']) })).toEqual({
        kind: 'conflict',
        endIndex: 0,
        state: 'closing',
      });
      expect(await under.log.replaceFrom(replacing(key, 0, 0, batchAt(0, ['a'])))).toEqual({
        kind: 'conflict',
        endIndex: 0,
        state: 'closing',
      });
      expect(await contents(key)).toEqual([]);
      const unknown = await under.log.append({ key: 'nobody', batch: batchAt(0, ['a']) });
      expect(unknown).toEqual({ kind: 'conflict', endIndex: null, state: null });
    });

    test('[CG4] of two writers at the same index one wins and the other is told', async () => {
      const key = await newDocument();
      const results = await Promise.all(
        ['ann1', 'bob2', 'cem3'].map((author) =>
          under.log.append({ key, batch: batchAt(0, [author], author) }),
        ),
      );
      expect(results.map(({ kind }) => kind).sort()).toEqual(['appended', 'conflict', 'conflict']);
      expect(await contents(key)).toHaveLength(1);
    });

    test('[CG5] a conflict of one document does not fail the others that are appended with it', async () => {
      const keys = await Promise.all(Array.from({ length: 20 }, () => newDocument()));
      const results = await Promise.all(
        keys.map((key, index) => under.log.append({ key, batch: batchAt(index % 2 ? 5 : 0, ['a']) })),
      );
      expect(results.map(({ kind }) => kind)).toEqual(
        keys.map((_, index) => (index % 2 ? 'conflict' : 'appended')),
      );
    });

    test('[CG9] batches that were appended together are read back like those that were appended alone', async () => {
      const alone = await newDocument();
      const together = await Promise.all(Array.from({ length: 20 }, () => newDocument()));
      const stamp = { name: 'A "\u2028', may: ['comment' as const] };
      const batches = [batchAt(0, ['"\u0000\u001e\\ \ud83d\ude00', '']), batchAt(2, ["'x', $1"], 'bob2')].map(
        (batch) => ({ ...batch, author: { ...batch.author, stamp } }),
      );
      for (const batch of batches) {
        await under.log.append({ key: alone, batch });
        await Promise.all(together.map((key) => under.log.append({ key, batch })));
      }
      for (const key of [alone, ...together]) expect(await contents(key)).toEqual(batches);
    });

    test('[CG6] replacing from an index cuts inside a batch, appends, and is refused at another end', async () => {
      const key = await newDocument();
      await under.log.append({ key, batch: batchAt(0, ['a', 'b', 'c']) });
      await under.log.append({ key, batch: batchAt(3, ['d']) });
      expect(await under.log.replaceFrom(replacing(key, 3, 1, batchAt(1, ['x'])))).toMatchObject({
        kind: 'conflict',
        endIndex: 4,
      });
      expect(await under.log.replaceFrom(replacing(key, 4, 1, batchAt(1, ['x', 'y'])))).toEqual({
        kind: 'appended',
      });
      expect(await contents(key)).toEqual([batchAt(0, ['a']), batchAt(1, ['x', 'y'])]);
      expect(await under.log.replaceFrom(replacing(key, 3, 0, null))).toEqual({ kind: 'appended' });
      expect(await contents(key)).toEqual([]);
      expect(await under.log.append({ key, batch: batchAt(0, ['z']) })).toEqual({ kind: 'appended' });
    });

    test('[CG10] only what one author made is replaced, and nothing is where another made some of it', async () => {
      const key = await newDocument();
      const batches = [batchAt(0, ['a', 'b']), batchAt(2, ['c'], 'bob2'), batchAt(3, ['d'])];
      for (const batch of batches) await under.log.append({ key, batch });
      const { version } = (await under.log.endOf(key))!;
      const byCem = { ...replacing(key, 4, 3, null), by: 'cem3' };
      for (const foreign of [replacing(key, 4, 1, null), replacing(key, 4, 2, batchAt(2, ['x'])), byCem])
        expect(await under.log.replaceFrom(foreign)).toEqual({ kind: 'foreign' });
      expect(await contents(key)).toEqual(batches);
      expect(await under.log.endOf(key)).toMatchObject({ version });
      expect(await under.log.replaceFrom(replacing(key, 4, 3, null))).toEqual({ kind: 'appended' });
      expect(await contents(key)).toEqual(batches.slice(0, 2));
    });

    test('[CG7] whatever is appended and replaced, the numbers have no gap and no repeat', async () => {
      const act = fc.record({
        index: fc.nat(12),
        count: fc.integer({ min: 1, max: 4 }),
        replaceFrom: fc.option(fc.nat(12), { nil: null }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
          const key = await newDocument();
          let model: string[] = [];
          for (const [number, { index, count, replaceFrom }] of acts.entries()) {
            const changes = Array.from({ length: count }, (_, at) => `${number}.${at}`);
            if (replaceFrom === null) {
              const result = await under.log.append({ key, batch: batchAt(index, changes) });
              expect(result.kind).toBe(index === model.length ? 'appended' : 'conflict');
              if (index === model.length) model = [...model, ...changes];
            } else if (replaceFrom <= model.length) {
              const result = await under.log.replaceFrom(
                replacing(key, index, replaceFrom, batchAt(replaceFrom, changes)),
              );
              expect(result.kind).toBe(index === model.length ? 'appended' : 'conflict');
              if (index === model.length) model = [...model.slice(0, replaceFrom), ...changes];
            }
          }
          const stored = await contents(key);
          expect(stored.flatMap((batch) => JSON.parse(batch.changes) as string[])).toEqual(model);
          let next = 0;
          for (const batch of stored) {
            expect(batch.firstIndex).toBe(next);
            next = batch.nextIndex;
          }
        }),
        { numRuns: 25 },
      );
    });
  });
}
