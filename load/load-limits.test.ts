import { expect, it } from 'vitest';
import { syntheticResult } from '../test/support/load-results.ts';
import { comparisonOf } from './comparison.ts';
import { comparisonText } from './comparison-text.ts';
import { loadLimitsOf } from './load-limits.ts';
import { comparisonReport } from './report/comparison-report.ts';
import { runReport } from './report/run-report.ts';
import { type LoadResult, parseResult } from './result.ts';

/** Phases of 10 s each, in intervals of 5 s. */
const timesS = [5, 10, 15, 20, 25, 30];
const phaseOf = (name: string, fromS: number, lateP99Ms: number | null) => ({
  ...{ name, title: `The phase ${name}`, fromS, toS: fromS + 10, counters: [] },
  latencies:
    lateP99Ms === null
      ? []
      : [
          {
            ...{ name: 'late', title: 'Late', count: 9, meanMs: 1, standardDeviationMs: 1, p50Ms: 1 },
            ...{ p90Ms: 1, p95Ms: 1, p99Ms: lateP99Ms, p999Ms: 9_000, maxMs: 9_000 },
          },
        ],
});
const processOf = (
  name: string,
  cpuCores: (number | null)[],
  role: 'generator' | 'service' = 'generator',
) => ({
  ...{ name, role, pid: 1, cpuCores, memoryBytes: cpuCores.map(() => 1) },
});

it('[LD38] a process of the load that used 0.9 of a core over a phase is the limit of that phase', () => {
  const limits = loadLimitsOf({
    timesS,
    phases: [phaseOf('calm', 0, 2), phaseOf('storm', 10, 2), phaseOf('end', 20, null)],
    processes: [
      processOf('generator 1', [null, 0.5, 0.85, 0.9, 0.1, 0.1]),
      processOf('generator 2', [null, 0.8, 0.86, 0.96, 1, 0.7]),
      processOf('worker 1', [1, 1, 1, 1, 1, 1], 'service'),
    ],
  });
  expect(limits).toEqual([
    {
      ...{ phase: 'storm', title: 'The phase storm', lateP99Ms: 2 },
      processes: [{ name: 'generator 2', cores: expect.closeTo(0.91) }],
    },
  ]);
});

it('[LD38] so is a load that began what was due more than 100 ms late, p99', () => {
  const phases = [phaseOf('calm', 0, 100), phaseOf('storm', 10, 101)];
  expect(loadLimitsOf({ timesS, phases, processes: [processOf('generator 1', [])] })).toEqual([
    { phase: 'storm', title: 'The phase storm', processes: [], lateP99Ms: 101 },
  ]);
});

const stretches = [{ forS: 10, people: 100, savesPerS: 10, messagesPerS: 5 }];
const limit = {
  ...{ phase: 'storm', title: 'Ten times too many', lateP99Ms: 340 },
  processes: [{ name: 'generator 2', cores: 0.97 }],
};
const sentence =
  /In the phase .+Ten times too many.+ the load was the limit \(generator 2 used 1\.0 of a core; what was due began 340 ms late, p99\): its figures say little of the server\./;

it('[LD38] a report and a comparison say where the load was the limit', () => {
  const well = syntheticResult({ stretches });
  const limited = syntheticResult({ stretches }, { loadLimits: [limit] });
  const assets = { styles: '', script: '' };
  expect(runReport(limited, assets)).toMatch(sentence);
  expect(runReport(well, assets)).not.toContain('the load was the limit');
  const runs = [well, limited] as const;
  const groups = comparisonOf(...runs, { anyway: false, tolerance: 0.1 });
  expect(comparisonText(runs, groups)).toMatch(sentence);
  expect(comparisonReport(runs, groups, assets)).toMatch(sentence);
});

it('[LD38] a result of an earlier version does not say it', () => {
  const { loadLimits: _, ...earlier } = syntheticResult({ stretches });
  expect(parseResult(JSON.stringify(earlier)).loadLimits).toEqual([]);
});

it('[LD37] a load that is later makes no run worse', () => {
  const [late] = phaseOf('all', 0, 5).latencies;
  const run = (times: number): LoadResult =>
    syntheticResult({ stretches }, { latencies: [{ ...late!, p99Ms: 5 * times, p50Ms: times }] });
  const rows = comparisonOf(run(1), run(9), { anyway: false, tolerance: 0.1 })[0]!.rows;
  expect(rows.map(({ ratio, isWorse }) => [ratio, isWorse])).toContainEqual([9, false]);
  expect(rows.some(({ isWorse }) => isWorse)).toBe(false);
});
