import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ServerMessageOf } from '../../../client/protocol/index.ts';
import type { StoredBatch } from '../../../platform/ports/change-log.ts';
import { MemoryChangeLog } from '../../../test/support/memory-change-log.ts';
import { HistoryChunks, HistoryMemory } from './history-chunks.ts';

const author = { uniqueId: 'ann1', userId: 'ann', name: 'Ann' };

/** A log that counts how many batches were read. */
class CountingLog extends MemoryChangeLog {
  batchesRead = 0;

  override async *read(key: string, firstIndex: number, endIndex: number): AsyncGenerator<StoredBatch[]> {
    for await (const page of super.read(key, firstIndex, endIndex)) {
      this.batchesRead += page.length;
      yield page;
    }
  }
}

function setUp(memoryBytes = 100_000_000) {
  const log = new CountingLog();
  log.setState('d1', 'open');
  const memory = new HistoryMemory(memoryBytes);
  const chunks = new HistoryChunks('d1', log, memory);
  const stored: string[] = [];
  const append = async (...changes: string[]) => {
    const batch = {
      firstIndex: stored.length,
      nextIndex: stored.length + changes.length,
      author,
      savedAtMs: 0,
    };
    await log.append({ key: 'd1', batch: { ...batch, changes: JSON.stringify(changes) } });
    stored.push(...changes);
  };
  const cut = async (index: number) => {
    await log.replaceFrom({
      key: 'd1',
      expectedEnd: stored.length,
      fromIndex: index,
      by: author.uniqueId,
      batch: null,
    });
    stored.length = index;
    chunks.cutFrom(index);
  };
  const given = async (
    endIndex = stored.length,
    firstIndex = 0,
  ): Promise<{ changes: string[]; messages: number }> => {
    const changes = stored.slice(0, firstIndex);
    let messages = 0;
    for await (const frame of chunks.between(firstIndex, endIndex)) {
      messages += 1;
      const message = JSON.parse(frame.json) as ServerMessageOf<'authChanges'>;
      changes.push(...message.changes.map(({ change }) => JSON.parse(change) as string));
    }
    return { changes, messages };
  };
  return { log, memory, chunks, stored, append, cut, given };
}

const half = 'x'.repeat(780_000);

test('[WA15] the history of a document is read and encoded once, however many come; what is new is added', async () => {
  const { log, append, given } = setUp();
  for (let index = 0; index < 5; index += 1) await append(`${index};${half}`);
  await Promise.all([given(), given(), given()]);
  const once = log.batchesRead;
  expect((await given()).messages).toBe(3);
  expect(log.batchesRead).toBe(once);
  await append('5;new');
  expect((await given()).changes.at(-1)).toBe('5;new');
  expect(log.batchesRead).toBe(once + 1);
});

test('[WA19] a batch of very many tiny changes comes in several messages, each about as large as others', async () => {
  const { append, given, stored } = setUp();
  await append(...Array.from({ length: 60_000 }, (_, index) => `${index}`));
  await append('then');
  const { changes, messages } = await given();
  expect(changes).toEqual(stored);
  expect(messages).toBeGreaterThan(3);
  expect((await given(60_001)).messages).toBe(messages);
});

test('[WA16] whatever is saved, taken back and forgotten meanwhile, newcomers get exactly the log', async () => {
  const act = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        append: fc.array(fc.constantFrom('a', 'b', half), { minLength: 1, maxLength: 3 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ cut: fc.double({ min: 0, max: 1, noNaN: true }) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        give: fc.double({ min: 0, max: 1, noNaN: true }),
        from: fc.constantFrom(0, 0, 0.3, 0.6, 1),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ forget: true }) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { maxLength: 14 }),
      fc.constantFrom(0, 4_000_000, 1e9),
      async (acts, bytes) => {
        const { chunks, memory, stored, append, cut, given } = setUp(bytes);
        for (const [number, one] of acts.entries()) {
          if ('append' in one) await append(...one.append.map((text, at) => `${number}.${at};${text}`));
          else if ('cut' in one) await cut(Math.floor(one.cut * stored.length));
          else if ('forget' in one) chunks.forget();
          else {
            const endIndex = Math.floor(one.give * stored.length);
            const firstIndex = Math.floor(one.from * endIndex);
            expect((await given(endIndex, firstIndex)).changes.slice(0, endIndex)).toEqual(
              stored.slice(0, endIndex),
            );
          }
          expect(memory.heldBytes).toBeLessThanOrEqual(bytes);
        }
        expect((await given()).changes).toEqual(stored);
      },
    ),
    { numRuns: 40 },
  );
});

test('[WA17] what is kept of all histories is bounded: the one used longest ago is forgotten first', () => {
  const memory = new HistoryMemory(100);
  const forgotten: string[] = [];
  const holder = (name: string) => ({
    forget() {
      forgotten.push(name);
      memory.used(this, 0);
    },
  });
  const [a, b, c] = [holder('a'), holder('b'), holder('c')];
  memory.used(a, 40);
  memory.used(b, 40);
  memory.used(a, 40);
  memory.used(c, 40);
  expect(forgotten).toEqual(['b']);
  memory.used(c, 120);
  expect(forgotten).toEqual(['b', 'a', 'c']);
  expect(memory.heldBytes).toBe(0);
});
