import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PendingBatch } from './pending-batches.ts';
import { parseChangeList } from './protocol/index.ts';

const changes = fc.array(fc.string({ maxLength: 60 }), { minLength: 1, maxLength: 40 });

describe('pending batches', () => {
  it('[C52] parts are the batch in order, each within the size unless it is a single change', () => {
    fc.assert(
      fc.property(
        changes,
        fc.integer({ min: 10, max: 200 }),
        fc.nat(1_000),
        (batchChanges, maxChars, baseIndex) => {
          const batch = new PendingBatch(batchChanges, baseIndex);
          const sent: string[] = [];
          while (batch.unacknowledgedCount > 0) {
            expect(batch.baseIndex).toBe(baseIndex + sent.length);
            const part = batch.nextPart(maxChars);
            const list = parseChangeList(part.changes)!;
            expect(list).toHaveLength(part.count);
            if (part.count > 1) expect(part.changes.length).toBeLessThanOrEqual(maxChars);
            sent.push(...list);
            batch.acknowledge(part.count);
            expect(part.last).toBe(batch.unacknowledgedCount === 0);
          }
          expect(sent).toEqual(batchChanges);
        },
      ),
    );
  });

  it('[C53] only the same changes by the same user at the same index are taken for stored', () => {
    const stored = (user: string, ...list: string[]) =>
      list.map((change) => ({ change, user, userOriginal: user, timeMs: 0 }));
    const batch = new PendingBatch(['a', 'b'], 7);
    expect(batch.storedCount(stored('me', 'a', 'b', 'c'), 7, 'me')).toBe(2);
    expect(batch.storedCount(stored('me', 'a', 'x'), 7, 'me')).toBe(1);
    expect(batch.storedCount(stored('me', 'a', 'b'), 8, 'me')).toBe(0);
    expect(batch.storedCount(stored('you', 'a', 'b'), 7, 'me')).toBe(0);
  });
});
