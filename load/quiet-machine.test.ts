import { expect, it } from 'vitest';
import { waitForQuiet } from './quiet-machine.ts';

it('[LD29] the machine is quiet after ten quiet seconds in a row, or never', async () => {
  const waited = (busy: readonly number[], withinS = 60) => {
    const shares = [1, ...busy];
    return waitForQuiet({
      ...{ atMost: 0.1, withinS },
      busyShare: () => shares.shift() ?? 0.05,
      second: () => Promise.resolve(),
    });
  };
  expect(await waited([])).toBe(10);
  expect(await waited([0.9, 0.5, 0.1])).toBe(12);
  expect(await waited([...Array<number>(9).fill(0), 0.11])).toBe(20);
  expect(await waited(Array<number>(60).fill(0.2))).toBeNull();
  expect(await waited([0.9, 0.9], 11)).toBeNull();
});
