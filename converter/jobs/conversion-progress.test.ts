import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ConversionProgress, type ConversionStage } from './conversion-progress.ts';

test('[CP1] whatever an engine says, the share that is told never falls and is the whole at the end alone', () => {
  vi.useFakeTimers();
  const said = fc.array(fc.oneof(fc.double(), fc.constantFrom(Number.NaN, 0, 0.5, 1, 2, -1)));
  const passed = fc.array(fc.nat({ max: 3_000 }));
  try {
    fc.assert(
      fc.property(said, passed, (shares, pauses) => {
        const told: [ConversionStage, number][] = [];
        using progress = new ConversionProgress(async (...one) => void told.push(one));
        progress.enter('converting');
        for (const [at, share] of shares.entries()) {
          progress.reach(share);
          vi.advanceTimersByTime(pauses[at] ?? 100);
        }
        progress.enter('storing');
        vi.advanceTimersByTime(1_000);
        const numbers = told.map(([, share]) => share);
        expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
        for (const number of numbers) expect(number >= 0 && number < 1).toBe(true);
        expect(told.at(-1)).toEqual(['storing', 0.95]);
      }),
    );
  } finally {
    vi.useRealTimers();
  }
});

test('[CP1] what is over at once tells nothing', () => {
  vi.useFakeTimers();
  const tell = vi.fn(async () => undefined);
  {
    using progress = new ConversionProgress(tell);
    progress.enter('converting');
    progress.enter('storing');
  }
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  expect(tell).not.toHaveBeenCalled();
});
