import { describe, expect, it } from 'vitest';
import { measured, thresholdsOf } from './measures.ts';
import { Meters } from './meters.ts';
import { Recording } from './recording.ts';
import { type LoadResult, parseResult, resultVersion } from './result.ts';
import { parseScenario, readScenario, type Scenario, scenarioNames } from './scenario.ts';

const nothing = { values: [], processes: [] };

function recordedTimes(): Recording {
  const recording = new Recording();
  const one = new Meters();
  const other = new Meters();
  for (let ms = 1; ms <= 100; ms += 1) (ms % 2 === 0 ? one : other).latency('save')(ms);
  one.count('saves', 30);
  other.count('saves', 20);
  recording.take(2, [one.take(), other.take()], nothing, 1);
  one.latency('save')(500);
  one.latency('open')(20);
  recording.take(4, [one.take(), other.take()], nothing, 1);
  return recording;
}

function resultOf(recording: Recording): LoadResult {
  return {
    format: 'quire-load',
    version: resultVersion,
    scenario: { name: 'hour', title: 'An hour', published: null },
    parameters: { people: 3, transport: 'plain' },
    scale: 0.5,
    seed: 1,
    target: { url: 'http://localhost', version: null },
    machine: { cpu: 'some', cores: 2, memoryBytes: 1, node: 'v20', sharedWithTarget: true },
    startedAt: new Date(0).toISOString(),
    elapsedS: 4,
    cut: null,
    ...recording.result(),
    thresholds: [],
    comparison: [],
    checks: [],
  };
}

describe('what generators measured', () => {
  it('[LD12] latencies of several processes are put together', () => {
    const [save] = recordedTimes().result().latencies;
    expect(save?.count).toBe(101);
    expect(save?.p50Ms).toBeGreaterThan(49);
    expect(save?.p50Ms).toBeLessThan(52);
    expect(save?.maxMs).toBeGreaterThan(495);
    expect(save?.meanMs).toBeCloseTo((5_050 + 500) / 101, 0);
  });

  it('[LD12] every series has a point for every interval, null where nothing was measured', () => {
    const { series, timesS } = recordedTimes().result();
    expect(timesS).toEqual([2, 4]);
    const pointsOf = (name: string) => series.find((one) => one.name === name)?.points;
    expect(pointsOf('open.max')?.[0]).toBeNull();
    expect(pointsOf('saves.rate')).toEqual([25, 0]);
    for (const { points } of series) expect(points).toHaveLength(2);
  });

  it('[LD12] cores are the CPU time of an interval, and a process that is gone has none', () => {
    const recording = new Recording();
    const usage = (cpuS: number) => ({ name: 'a', role: 'service' as const, pid: 1, cpuS, memoryBytes: 9 });
    recording.take(1, [], { values: [], processes: [usage(10)] }, 1);
    recording.take(3, [], { values: [], processes: [usage(13)] }, 1);
    recording.take(4, [], nothing, 1);
    const [process] = recording.result().processes;
    expect(process?.cpuCores).toEqual([null, 1.5, null]);
    expect(process?.memoryBytes).toEqual([9, 9, null]);
  });
});

describe('a result', () => {
  it('[LD14] is read as it was written', () => {
    const result = resultOf(recordedTimes());
    expect(parseResult(JSON.stringify(result))).toEqual(result);
  });

  it('[LD14] of another form is refused', () => {
    const result = resultOf(recordedTimes());
    expect(() => parseResult(JSON.stringify({ ...result, version: 99 }))).toThrow('version');
    expect(() => parseResult(JSON.stringify({ ...result, timesS: [1] }))).toThrow('points');
    expect(() => parseResult(JSON.stringify({ ...result, elapsedS: 'long' }))).toThrow('elapsedS');
  });
});

describe('thresholds', () => {
  const scenarioWith = (threshold: Partial<Scenario['thresholds'][number]>) =>
    ({ thresholds: [{ title: 'A', unit: 'ms', scales: false, ...threshold }] }) as unknown as Scenario;
  const check = (threshold: Partial<Scenario['thresholds'][number]>, scale = 1) =>
    thresholdsOf(recordedTimes().result(), scenarioWith(threshold), scale)[0]!;

  it('[LD13] are kept or missed by what was measured', () => {
    const measure = { of: 'save', figure: 'max' } as const;
    expect(check({ measure, atMost: 510 }).passed).toBe(true);
    expect(check({ measure, atMost: 400 }).passed).toBe(false);
    expect(check({ measure, atLeast: 400 }).passed).toBe(true);
    expect(check({ measure, atLeast: 510 }).passed).toBe(false);
  });

  it('[LD13] are missed where nothing was measured', () => {
    expect(check({ measure: { of: 'message', figure: 'p99' }, atMost: 100 })).toMatchObject({
      measured: null,
      passed: false,
    });
  });

  it('[LD13] of rates grow with the scale', () => {
    const measure = { of: 'saves', figure: 'rate' } as const;
    expect(check({ measure, atLeast: 250, scales: true }, 0.1)).toMatchObject({ wanted: 25, passed: true });
    expect(check({ measure, atLeast: 250, scales: false }, 0.1).passed).toBe(false);
  });

  it('[LD13] name figures that a run can have', async () => {
    const times = ['mean', 'p50', 'p90', 'p95', 'p99', 'p999', 'max', 'count'] as const;
    for (const figure of times) {
      expect(measured(recordedTimes().result(), { of: 'save', figure })).toBeGreaterThan(0);
    }
    expect(measured(recordedTimes().result(), { of: 'saves', figure: 'total' })).toBe(50);
    expect(measured(recordedTimes().result(), { of: 'save', figure: 'passed' })).toBe(101);
    expect(measured(recordedTimes().result(), { of: 'saves.rate', figure: 'last' })).toBe(0);
  });
});

describe('scenarios', () => {
  it('[LD7] that are not as they must be are refused with what is wrong', async () => {
    const good = JSON.parse(JSON.stringify(await readScenario('hour'))) as Record<string, unknown>;
    expect(() => parseScenario(good, 'it')).not.toThrow();
    expect(() => parseScenario({ ...good, phases: [] }, 'it')).toThrow('phases');
    expect(() => parseScenario({ ...good, extra: 1 }, 'it')).toThrow('extra');
    expect(() => parseScenario({ ...good, documents: { peopleEach: 2 } }, 'it')).toThrow('closed only');
    await expect(readScenario('nope')).rejects.toMatchObject({ code: 'unknown_scenario' });
    expect(await scenarioNames()).toEqual(['growth', 'hour', 'polling', 'rooms', 'sheets', 'steady']);
  });
});
