import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Lane, OfficeQueue } from './office-queue.ts';

const lane = fc.constantFrom<Lane>('interactive', 'batch');
const step = fc.oneof(
  lane.map((of) => ({ add: of })),
  fc.constant('take' as const),
);

describe('the queue for processes of LibreOffice', () => {
  it('[LO12] gives what somebody waits for first, and each lane in its order, whatever comes in between', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const queue = new OfficeQueue<{ lane: Lane; number: number }>();
        let waiting: { lane: Lane; number: number }[] = [];
        for (const [number, one] of steps.entries()) {
          if (one !== 'take') {
            const item = { lane: one.add, number };
            queue.add(item);
            waiting.push(item);
            continue;
          }
          const expected = waiting.find((item) => item.lane === 'interactive') ?? waiting[0];
          expect(queue.take(['interactive', 'batch'])).toBe(expected);
          waiting = waiting.filter((item) => item !== expected);
        }
        expect(queue.size).toBe(waiting.length);
        expect(queue.waiting('batch')).toBe(waiting.filter((item) => item.lane === 'batch').length);
      }),
    );
  });

  it('[LO12] forgets what nobody wants any more', () => {
    const queue = new OfficeQueue<{ lane: Lane }>();
    const item = { lane: 'batch' } as const;
    queue.add(item);
    expect([queue.remove(item), queue.remove(item), queue.take(['batch'])]).toEqual([true, false, undefined]);
  });
});
