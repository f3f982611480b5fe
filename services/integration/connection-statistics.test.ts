import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConnectionStatistics } from './connection-statistics.ts';

const minuteMs = 60_000;
const someone = (edit: number) => ({ edit, liveview: 1, view: 0 });

test('[ME6] the statistics of connections are of the last hour, day, week and month', () => {
  const statistics = new ConnectionStatistics();
  expect(statistics.spreads(0)).toEqual({});
  const beginMs = 1_000 * 3_600_000;
  for (let minute = 0; minute <= 180; minute += 1) {
    statistics.sample(someone(minute < 60 ? 10 : 2), beginMs + minute * minuteMs);
  }
  const { hour, day, week, month } = statistics.spreads(beginMs + 180 * minuteMs);
  expect(hour).toEqual({
    edit: { min: 2, avr: 2, max: 2 },
    liveview: { min: 1, avr: 1, max: 1 },
    view: { min: 0, avr: 0, max: 0 },
  });
  expect(day!.edit).toEqual({ min: 2, avr: 5, max: 10 });
  expect([week, month]).toEqual([day, day]);
});

test('[ME6] whatever comes and goes, a longer window holds what a shorter one has, and the mean is between', () => {
  const counts = fc.array(fc.record({ edit: fc.nat(500), afterMs: fc.nat(40 * minuteMs) }), { minLength: 1 });
  fc.assert(
    fc.property(counts, (samples) => {
      const statistics = new ConnectionStatistics();
      let nowMs = 5_000_000_000;
      for (const { edit, afterMs } of samples) {
        nowMs += afterMs;
        statistics.sample(someone(edit), nowMs);
      }
      const { hour, month } = statistics.spreads(nowMs);
      for (const spread of [hour!, month!]) {
        expect(spread.edit.min).toBeLessThanOrEqual(spread.edit.avr);
        expect(spread.edit.avr).toBeLessThanOrEqual(spread.edit.max);
      }
      expect(month!.edit.max).toBe(Math.max(...samples.map(({ edit }) => edit)));
      expect(month!.edit.min).toBeLessThanOrEqual(hour!.edit.min);
    }),
  );
});
