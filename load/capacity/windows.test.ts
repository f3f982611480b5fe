import { expect, it } from 'vitest';
import { syntheticResult } from '../../test/support/load-results.ts';
import { windowsOf } from './windows.ts';

it('[LR34] stretches in which people leave, or nobody is left, are none by which costs are told', () => {
  const busy = { savesPerS: 1, messagesPerS: 0 };
  const result = syntheticResult({
    costs: { service: {} },
    stretches: [
      { forS: 100, people: 1_000, ...busy },
      { forS: 100, people: 1_000, ...busy },
      { forS: 100, people: 0, ...busy },
      { forS: 100, people: 0, ...busy },
    ],
  });
  const windows = windowsOf(result);
  expect(windows).toHaveLength(10);
  expect(windows.map(({ people }) => people > 0)).not.toContain(false);
  expect(windows.filter(({ isFull }) => isFull).length).toBeGreaterThanOrEqual(5);
});
