import { expect, test } from 'vitest';
import { tooManyNewcomers } from './newcomers.ts';

test('[NC9] nothing is said while everybody who comes gets in, however many come and wait', () => {
  const calm = { waiting: 900, enteredPerS: 400, refusedPerS: 0.2 };
  expect(tooManyNewcomers([{ newcomers: calm }, { newcomers: calm }, {}])).toBeNull();
});

test('[NC9] when people are turned away, what all nodes do is added up', () => {
  const busy = { waiting: 30, enteredPerS: 200, refusedPerS: 600 };
  const calm = { waiting: 0, enteredPerS: 20, refusedPerS: 0 };
  expect(tooManyNewcomers([{ newcomers: busy }, { newcomers: calm }, {}])).toEqual({
    ...{ waiting: 30, enteredPerS: 220, refusedPerS: 600 },
  });
});
