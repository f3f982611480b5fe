import { describe, expect, it } from 'vitest';
import { syntheticResult } from '../test/support/load-results.ts';
import { comparisonOf } from './comparison.ts';
import { comparisonText } from './comparison-text.ts';
import { comparisonReport } from './report/comparison-report.ts';
import type { LoadResult } from './result.ts';

const strict = { anyway: false, tolerance: 0.1 };
const run = {
  stretches: [{ forS: 60, people: 1_000, savesPerS: 100, messagesPerS: 0 }],
  costs: { service: { idleCores: 0.2, baseMb: 100 }, database: { idleCores: 0.1, baseMb: 50 } },
};
const rowsOf = (...args: Parameters<typeof comparisonOf>) =>
  comparisonOf(...args).flatMap(({ rows }) => rows);
const worseOf = (...args: Parameters<typeof comparisonOf>) =>
  rowsOf(...args)
    .filter(({ isWorse }) => isWorse)
    .map(({ title }) => title);

describe('two runs', () => {
  it('[LR20] are compared figure by figure: a slower and dearer second run is worse where it is, and the other way round not', () => {
    const [before, after] = [syntheticResult(run), syntheticResult({ ...run, slower: 1.5 })];
    expect(worseOf(before, before, strict)).toEqual([]);
    expect(worseOf(after, before, strict)).toEqual([]);
    const worse = worseOf(before, after, strict);
    for (const title of [
      'Opening a document, p95',
      'Service, for each log-in, save, message and cursor',
      'PostgreSQL',
      'Service',
    ]) {
      expect(worse).toContain(title);
    }
    const cpu = rowsOf(before, after, strict).find(
      ({ title, unit }) => title === 'Service' && unit === 'cores',
    )!;
    expect(cpu).toMatchObject({
      first: expect.closeTo(0.2),
      second: expect.closeTo(0.3),
      ratio: expect.closeTo(1.5),
    });
  });

  it('[LR20] differ by less than the tolerance without being worse, and by a failed transaction more they are', () => {
    const [before, after] = [syntheticResult(run), syntheticResult({ ...run, slower: 1.08 })];
    expect(worseOf(before, after, strict)).toEqual([]);
    const transactions = before.transactions.map((one) => ({ ...one, failed: one.failed + 1 }));
    expect(worseOf(before, { ...before, transactions }, strict)).toEqual(['Save, failed']);
  });

  it('[LR20] have their goodput side by side, and who was refused, and is worse with less of the one', () => {
    const coming = (goodput: number, refused: number, givenUp: number): LoadResult => {
      const result = syntheticResult(run);
      const line = (name: string, rate: number) => ({
        ...{ name, title: name, unit: '1/s', group: 'Rates' },
        points: result.timesS.map((_, at) => (at < 30 ? rate : 0)),
      });
      const counted = { refused, retried: refused, givenUp };
      return {
        ...result,
        series: [...result.series, line('opened.rate', goodput), line('refused.rate', refused / 30)],
        counters: Object.entries(counted).map(([name, value]) => ({ name, title: name, value })),
      };
    };
    const goodput = 'Goodput: log-ins that got through while people came';
    const [before, after] = [coming(100, 3_000, 0), coming(60, 9_000, 5)];
    expect(worseOf(before, after, strict)).toEqual([goodput, 'Gave up']);
    expect(worseOf(after, before, strict)).toEqual([]);
    const text = comparisonText([before, after], comparisonOf(before, after, strict));
    expect(text).toMatch(/Goodput.* 100\/s +60\/s +0\.6 +worse/);
    expect(text).toMatch(/Refused +3,000 +9,000 +3\n/);
    // A result of an earlier version does not say it.
    expect(rowsOf(syntheticResult(run), after, strict).map(({ title }) => title)).not.toContain(goodput);
  });

  it('[LR21] of different scenarios, scales or settings are refused, unless that is wanted', () => {
    const first = syntheticResult(run);
    const remade = { ...first, parameters: { ...first.parameters, processes: 7 } };
    expect(comparisonOf(first, remade, strict)).not.toEqual([]);
    const others = [
      { ...first, scale: 0.5 },
      { ...first, scenario: { ...first.scenario, name: 'rooms' } },
      { ...first, parameters: { ...first.parameters, transport: 'polling' } },
    ];
    for (const other of others) {
      expect(() => comparisonOf(first, other, strict)).toThrow(/not alike: (scale|scenario|transport)/);
      expect(comparisonOf(first, other, { ...strict, anyway: true })).not.toEqual([]);
    }
  });

  it('[LR20] are shown as text and as a page with both in each chart', () => {
    const runs = [syntheticResult(run), syntheticResult({ ...run, slower: 2 })] as const;
    const groups = comparisonOf(...runs, strict);
    expect(comparisonText(runs, groups)).toMatch(/Opening a document, p95\s+60 ms\s+120 ms\s+2\s+worse/);
    const page = comparisonReport(runs, groups, { script: '', styles: '' });
    const charts = JSON.parse(/id="charts">(.*?)<\/script>/s.exec(page)![1]!);
    const acknowledged = charts.find(({ title }: { title: string }) => title === 'A save, acknowledged');
    expect(
      acknowledged.lines.map(({ title, values }: { title: string; values: number[] }) => [title, values[5]]),
    ).toEqual([
      ['p50, A', 0.9],
      ['p50, B', 1.8],
      ['p99, A', 12],
      ['p99, B', 24],
    ]);
    expect(page).toContain('B is worse than A');
  });
});
