import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EngineLane, engineLanes } from './conversion-engine.ts';
import { LaneQueue } from './lane-queue.ts';

const lane = fc.constantFrom(...engineLanes);
const step = fc.oneof(
  lane.map((of) => ({ add: of })),
  fc.constant('take' as const),
);

describe('the queue for processes of LibreOffice', () => {
  it('[LO12] gives what somebody waits for first, and each lane in its order, whatever comes in between', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const queue = new LaneQueue<{ lane: EngineLane; number: number }>();
        let waiting: { lane: EngineLane; number: number }[] = [];
        for (const [number, one] of steps.entries()) {
          if (one !== 'take') {
            const item = { lane: one.add, number };
            queue.add(item);
            waiting.push(item);
            continue;
          }
          const first = engineLanes.find((of) => waiting.some((item) => item.lane === of));
          const expected = waiting.find((item) => item.lane === first);
          expect(queue.take(engineLanes)).toBe(expected);
          waiting = waiting.filter((item) => item !== expected);
        }
        expect(queue.size).toBe(waiting.length);
        expect(queue.waiting('batch')).toBe(waiting.filter((item) => item.lane === 'batch').length);
      }),
    );
  });

  it('[LO12] forgets what nobody wants any more', () => {
    const queue = new LaneQueue<{ lane: EngineLane }>();
    const item = { lane: 'batch' } as const;
    queue.add(item);
    expect([queue.remove(item), queue.remove(item), queue.take(['batch'])]).toEqual([true, false, undefined]);
  });
});
