import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HealthSample, PartState } from '../../platform/ports/cluster.ts';
import { HealthHistory } from './health-history.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const sample = (atMs: number, of: Partial<HealthSample>): HealthSample => ({
  ...{ atMs, connections: 0, loopDelayP99Ms: 0, loopDelayMaxMs: 0, gcMsPerS: 0, cpuPercent: 0, rssBytes: 0 },
  ...{ gcLongestMs: 0, heapUsedBytes: 0, savesPerS: 0, savesMeanMs: null, savesP99Ms: null, ...of },
});

/** A history whose sources the test gives. */
function history() {
  const samples: HealthSample[] = [];
  const values: Record<string, { value: number; labels: Record<string, string> }[]> = {};
  const parts: Pick<PartState, 'isUp'>[] = [];
  let ended = { done: 0, failed: 0, meanMs: null as number | null };
  const kept = new HealthHistory({
    nodeId: 'docs-1',
    samples: { since: (timeMs) => samples.filter(({ atMs }) => atMs > timeMs) },
    metrics: { values: async (name) => values[name] ?? [] },
    health: { known: () => parts as PartState[] },
    pace: { sinceLast: () => ended },
  });
  kept.start((error) => {
    throw error;
  });
  return { kept, samples, values, parts, ends: (of: typeof ended) => (ended = of) };
}

test('[OB19] a moment has the mean or the worst of the samples since the one before, and what the metrics say', async () => {
  const { kept, samples, values, parts, ends } = history();
  samples.push(
    sample(1_002_000, { cpuPercent: 10, savesPerS: 4, savesP99Ms: 5, loopDelayP99Ms: 12, rssBytes: 100 }),
    sample(1_004_000, { cpuPercent: 30, savesPerS: 8, loopDelayP99Ms: 3, rssBytes: 200 }),
    sample(1_006_000, { cpuPercent: 20, savesPerS: 6, loopDelayMaxMs: 40, gcLongestMs: 9, rssBytes: 200 }),
    sample(1_008_000, { cpuPercent: 20, savesPerS: 6, gcLongestMs: 2, heapUsedBytes: 70, rssBytes: 200 }),
  );
  values.quire_cache_hits_total = [
    { value: 5, labels: { cache: 'history' } },
    { value: 1, labels: { cache: 'conversions' } },
  ];
  values.quire_cache_misses_total = [{ value: 2, labels: { cache: 'conversions' } }];
  values.quire_sessions = [
    { value: 3, labels: { kind: 'editor' } },
    { value: 2, labels: { kind: 'viewer' } },
    { value: 9, labels: { kind: 'closed' } },
  ];
  values.quire_jobs = [
    { value: 2, labels: { kind: 'open', state: 'waiting' } },
    { value: 1, labels: { kind: 'convert', state: 'waiting' } },
    { value: Number.NaN, labels: { kind: 'open', state: 'active' } },
  ];
  values.quire_oldest_unsaved_change_seconds = [
    { value: 7, labels: { promised: 'false' } },
    { value: 90, labels: { promised: 'true' } },
  ];
  parts.push({ isUp: true }, { isUp: false }, { isUp: null });
  ends({ done: 5, failed: 1, meanMs: 40 });
  await vi.advanceTimersByTimeAsync(15_000);
  const { nodeId, atMs, moments } = kept.since(0);
  expect({ nodeId, atMs }).toEqual({ nodeId: 'docs-1', atMs: [1_015_000] });
  expect(Object.fromEntries(Object.entries(moments).map(([name, [value]]) => [name, value]))).toEqual({
    ...{ sessions: 5, savesPerS: 6, savesP99Ms: 5, cpuPercent: 20, rssBytes: 200, loopDelayP99Ms: 12 },
    ...{ loopDelayMaxMs: 40, gcLongestMs: 9, heapUsedBytes: 70, cacheHitPercent: 75 },
    ...{ partsDown: 1, jobsWaiting: 3, jobsActive: null, jobsDelayed: 0, unsavedS: 90 },
    ...{ jobsDonePerMin: 20, jobsFailedPerMin: 4, jobMeanMs: 40 },
  });
  values.quire_cache_hits_total[0]!.value = 8;
  values.quire_cache_misses_total[0]!.value = 3;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(kept.since(0).moments.cacheHitPercent).toEqual([75, 75, null]);
});

test('[OB19] two hours are remembered and no more, and only what is younger is given', async () => {
  const { kept } = history();
  await vi.advanceTimersByTimeAsync(3 * 3_600_000);
  const all = kept.since(0);
  expect(all.atMs).toHaveLength(480);
  expect(all.atMs.at(-1)! - all.atMs[0]!).toBe(2 * 3_600_000 - 15_000);
  const some = kept.since(all.atMs[470]!);
  expect(some.atMs).toEqual(all.atMs.slice(471));
  for (const column of Object.values(some.moments)) expect(column).toHaveLength(9);
});
