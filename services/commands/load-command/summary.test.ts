import { expect, it } from 'vitest';
import { syntheticResult } from '../../../test/support/load-results.ts';
import { summaryOf } from './summary.ts';

it('[LD24] a terminal shows who came in and who was refused in each phase', () => {
  const stretches = [{ forS: 20, people: 100, savesPerS: 10, messagesPerS: 5 }];
  const phase = {
    ...{ name: 'storm', title: 'Ten times too many', fromS: 0, toS: 20, latencies: [] },
    counters: Object.entries({ opened: 2_000, refused: 18_000 }).map(([name, value]) => ({ name, value })),
  };
  const text = summaryOf(syntheticResult({ stretches }, { phases: [phase] }));
  expect(text).toMatch(/Phase +goodput, \/s +refused, \/s/);
  expect(text).toMatch(/Ten times too many +100 +900\n/);
});
