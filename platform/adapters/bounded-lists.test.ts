import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Coordination, SharedList } from '../ports/coordination.ts';
import { BoundedLists } from './bounded-lists.ts';
import { MemoryCoordination, MemorySharedValues } from './memory-coordination.ts';
import { SharedCoordination } from './shared-coordination.ts';

const chat: SharedList = { name: 'chat', mostEntries: 1_000, mostBytes: 2_000_000 };

test('[CH8] when all chats come to too much, each keeps its newest up to half an equal share, and short ones all', () => {
  const lists = new BoundedLists(1_000);
  const entry = (at: number) => `${at}`.padStart(10, '0');
  for (let at = 0; at < 5; at += 1) lists.append('short', chat, entry(at));
  for (let at = 0; at < 20; at += 1) lists.append('longer', chat, entry(at));
  for (let at = 0; at < 75; at += 1) lists.append('longest', chat, entry(at));
  expect(lists.entries('longest', 'chat')).toHaveLength(75);
  lists.append('longest', chat, entry(75));
  const kept = ['short', 'longer', 'longest'].map((key) => lists.entries(key, 'chat').map(Number));
  const newest = (count: number, last: number) =>
    Array.from({ length: count }, (_, at) => last - count + 1 + at);
  expect(kept).toEqual([newest(5, 4), newest(16, 19), newest(16, 75)]);
});

test('[CH8] whatever is said and cleared in whichever documents, all of it stays within its bound, in order', () => {
  const act = fc.record({ key: fc.nat(9), length: fc.integer({ min: 1, max: 1_500 }), clears: fc.nat(9) });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 200 }), (acts) => {
      const lists = new BoundedLists(1_000);
      const said = new Map<string, string[]>();
      for (const { key, length, clears } of acts) {
        const document = `d${key}`;
        if (clears === 0) {
          lists.clear(document, 'chat');
          said.delete(document);
        }
        const entry = String(length).padEnd(length, '-');
        lists.append(document, chat, entry);
        said.set(document, [...(said.get(document) ?? []), entry]);
        const kept = [...said.keys()].map((one) => lists.entries(one, 'chat'));
        expect(kept.flat().reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(1_000);
        for (const [at, all] of [...said.values()].entries()) {
          expect(all.slice(all.length - kept[at]!.length)).toEqual(kept[at]);
        }
      }
    }),
    { numRuns: 50 },
  );
});

test.each<[string, Coordination]>([
  ['one process', new MemoryCoordination()],
  ['several workers', new SharedCoordination(new MemorySharedValues())],
])('[CH8] the chats of %s without Redis have 64 MB together', async (_name, coordination) => {
  const documents = Array.from({ length: 50 }, (_, at) => `d${at}`);
  const message = 'x'.repeat(99_998);
  for (const key of documents) {
    for (let count = 0; count < 20; count += 1) await coordination.append(key, chat, message);
  }
  let bytes = 0;
  for (const key of documents) bytes += (await coordination.entries<string>(key, chat)).length * 100_000;
  expect(bytes).toBeLessThanOrEqual(64 * 1024 * 1024);
  expect(bytes).toBeGreaterThan(10_000_000);
  expect(await coordination.entries('d49', chat)).toHaveLength(20);
});
