import { expect, test } from 'vitest';
import { BusyWorkers } from './busy-workers.ts';

test('[NC8] of those who come for a worker that turns people away, others turn the share away that it says', () => {
  let chance = 0;
  const workers = new BusyWorkers(() => chance);
  workers.learned(2, { share: 0.25, withinS: 8 }, 0);
  const answers = [0, 0.2, 0.25, 0.5, 0.99].map((number) => {
    chance = number;
    return workers.turnsAway(2, 100);
  });
  expect(answers).toEqual([null, null, 3, 5, 8]);
  expect(workers.turnsAway(1, 100)).toBeNull();
});

test('[NC8] a worker that takes all again, or has said nothing for three seconds, is led to', () => {
  const workers = new BusyWorkers(() => 0.5);
  const none = { share: 0, withinS: 2 };
  workers.learned(1, none, 0);
  workers.learned(2, none, 0);
  expect([workers.turnsAway(1, 3_000), workers.turnsAway(2, 3_001)]).toEqual([2, null]);
  workers.learned(1, { share: 1, withinS: 2 }, 3_000);
  expect(workers.turnsAway(1, 3_000)).toBeNull();
});
