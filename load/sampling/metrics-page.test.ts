import { describe, expect, it } from 'vitest';
import { MetricsPage } from './metrics-page.ts';
import { ProcessNames } from './process-names.ts';
import { targetSeries } from './target-series.ts';

const histogram = (counts: readonly number[], labels = '') =>
  ['0.001', '0.01', '+Inf']
    .map((edge, at) => `quire_save_acknowledgement_seconds_bucket{le="${edge}"${labels}} ${counts[at]}`)
    .join('\n');

const seriesOf = (before: readonly string[], now: readonly string[], elapsedS = 1) => {
  const pages = (texts: readonly string[]) =>
    new Map(texts.map((text, at) => [`node ${at}`, new MetricsPage(text)] as const));
  const values = targetSeries(pages(before), pages(now), elapsedS);
  return new Map(values.map(({ name, value }) => [name, value]));
};

describe('what the target says', () => {
  it('[LR1] is the rise of counters in a second, of all nodes and workers together', () => {
    const page = (first: number, second: number) =>
      `# HELP quire_messages_total Messages\nquire_messages_total{type="a",worker="1"} ${first}\nquire_messages_total{type="b",worker="2"} ${second}`;
    const values = seriesOf([page(10, 20), page(0, 5)], [page(14, 30), page(6, 5)], 2);
    expect(values.get('target.messages')).toBe(10);
  });

  it('[LR1] leaves a node out for the moment in which its counters began anew', () => {
    const page = (count: number) => `quire_messages_total{type="a"} ${count}`;
    expect(seriesOf([page(100), page(7)], [page(3), page(9)]).get('target.messages')).toBe(2);
  });

  it('[LR1] takes a gauge of all nodes once and those of each node together', () => {
    const page = (jobs: number, used: number) =>
      ['1', '2']
        .map(
          (worker) =>
            `quire_jobs{kind="open",state="waiting",worker="${worker}"} ${jobs}\nquire_jobs{kind="assemble",state="waiting",worker="${worker}"} ${jobs}\nquire_database_connections{state="used",worker="${worker}"} ${used}`,
        )
        .join('\n');
    const values = seriesOf([], [page(3, 1), page(4, 2)]);
    expect(values.get('target.jobs.waiting')).toBe(8);
    expect(values.get('target.database.used')).toBe(6);
  });

  it('[LR1] makes percentiles of what histograms counted since the last look', () => {
    const values = seriesOf([histogram([90, 90, 90])], [histogram([90, 190, 190])]);
    expect(values.get('target.acknowledgement.p50')).toBeCloseTo(5.5);
    expect(values.get('target.acknowledgement.p99')).toBeCloseTo(9.91);
  });

  it('[LR1] takes the longest collection where the target says it, and else an upper bound of it', () => {
    const page = (count: number, longest = '') =>
      `quire_nodejs_gc_duration_seconds_count{kind="minor"} ${count}\n${['0.001', '0.01', '+Inf']
        .map(
          (edge) =>
            `quire_nodejs_gc_duration_seconds_bucket{le="${edge}",kind="minor"} ${edge === '0.001' ? 0 : count}`,
        )
        .join('\n')}\n${longest}`;
    expect(seriesOf([page(1)], [page(3)]).get('target.gc.max')).toBeCloseTo(10);
    expect(seriesOf([page(3)], [page(3)]).get('target.gc.max')).toBe(0);
    const longest = 'quire_nodejs_gc_longest_seconds{worker="1"} 0.0042';
    expect(seriesOf([page(1)], [page(3, longest)]).get('target.gc.max')).toBeCloseTo(4.2);
  });

  it('[LD34] adds up what the last whole collections have left in the heaps of all processes', () => {
    const page =
      'quire_nodejs_heap_live_bytes{worker="1"} 2000000\nquire_nodejs_heap_live_bytes{worker="2"} 3000000';
    expect(seriesOf([page], [page, page]).get('target.heap.live')).toBe(10);
  });

  it('[LR1] leaves out what is not known: metrics that are not there, and NaN', () => {
    const values = seriesOf([''], ['quire_jobs{kind="open",state="waiting"} NaN\nnot a metric at all\n']);
    expect([...values.keys()]).toEqual([]);
  });

  it('reads labels with every sign', () => {
    const page = new MetricsPage('a{b="x\\"}, \\\\ \\n",c="{,}"} 1.5e3');
    expect(page.values('a')).toEqual([{ labels: { b: 'x"}, \\ \n', c: '{,}' }, value: 1_500 }]);
  });
});

describe('names of processes', () => {
  const worker = (identity: string, cpuS: number) => ({
    ...{ role: 'service' as const, title: 'worker', identity, pid: Number(identity), cpuS, memoryBytes: 1 },
  });

  it('[LR2] pass to the process that comes in place of another, whose CPU time goes on', () => {
    const names = new ProcessNames();
    names.named([worker('10', 5), worker('11', 7)]);
    const after = names.named([worker('11', 8), worker('12', 1)]);
    expect(after.map(({ name, pid, cpuS }) => [name, pid, cpuS])).toEqual([
      ['worker 2', 11, 8],
      ['worker', 12, 6],
    ]);
  });
});
