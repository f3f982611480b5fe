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

it('[LD38] a terminal says where the load was the limit', () => {
  const stretches = [{ forS: 20, people: 100, savesPerS: 10, messagesPerS: 5 }];
  const processes = [{ name: 'generator 2', cores: 0.97 }];
  const limit = { phase: 'storm', title: 'Ten times too many', processes, lateP99Ms: 3 };
  expect(summaryOf(syntheticResult({ stretches }, { loadLimits: [limit] }))).toContain(
    'In the phase "Ten times too many" the load was the limit (generator 2 used 1.0 of a core): its figures say',
  );
});
