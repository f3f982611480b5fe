import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Backoff } from './reconnect.ts';
import { FakeClock } from './testing/fake-clock.ts';

const options = { initialDelayMs: 100, maxDelayMs: 1_000, attempts: 8 };

describe('backoff', () => {
  it('[C50] after three short delays they double up to a bound, each drawn from the whole of its step, and attempts end', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
        const clock = Object.assign(new FakeClock(), { random: () => random });
        const backoff = new Backoff(options, clock);
        for (const stepMs of [100, 100, 100, 200, 400, 800, 1_000, 1_000]) {
          expect(backoff.next()).toBe(stepMs * random);
        }
        expect(backoff.next()).toBeNull();
      }),
    );
  });

  it('[C51] a session that has done nothing starts the count anew but not the delays', () => {
    const backoff = new Backoff(options, Object.assign(new FakeClock(), { random: () => 0.5 }));
    for (let round = 0; round < 20; round++) {
      backoff.next();
      backoff.succeeded();
    }
    expect(backoff.next()).toBe(500);
    backoff.calm();
    expect(backoff.next()).toBe(50);
  });
});
