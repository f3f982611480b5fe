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
    loadLimits: [],
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

  it('[LD12, LR4] cores are the CPU time of an interval, and a process that is gone has none', () => {
    const recording = new Recording();
    const usage = (cpuS: number) => ({ name: 'a', role: 'service' as const, pid: 1, cpuS, memoryBytes: 9 });
    recording.take(1, [], { values: [], processes: [usage(10)] }, 1);
    recording.take(3, [], { values: [], processes: [usage(13)] }, 1);
    recording.take(4, [], nothing, 1);
    // It was not seen for a while, and was not idle then.
    recording.take(5, [], { values: [], processes: [usage(15)] }, 1);
    const [process] = recording.result().processes;
    expect(process?.cpuCores).toEqual([null, 1.5, null, 1]);
    expect(process?.memoryBytes).toEqual([9, 9, null, 9]);
  });
});

describe('phases', () => {
  /** A busy phase of 4 s, a calm one of 10 s, and what comes after both. */
  const recorded = () => {
    const recording = new Recording();
    const meters = new Meters();
    const interval = (elapsedS: number, opened: number, saveMs: number) => {
      meters.count('opened', opened);
      meters.latency('save')(saveMs);
      recording.take(elapsedS, [meters.take()], nothing, 1);
    };
    recording.beginPhase({ name: 'busy', title: 'Many come' });
    interval(2, 100, 300);
    interval(4, 20, 200);
    expect(recording.endPhase()).toMatchObject({ name: 'busy', fromS: 0, toS: 4 });
    recording.beginPhase({ name: 'calm', title: 'Few come' });
    interval(14, 10, 5);
    recording.endPhase();
    recording.beginPhase({ name: 'cut', title: 'Never was' });
    recording.endPhase();
    interval(20, 1_000, 5_000);
    return recording.result();
  };

  it('[LD24] have their own figures, and what comes after the last one is of none', () => {
    const result = recorded();
    expect(result.phases.map(({ name, fromS, toS }) => [name, fromS, toS])).toEqual([
      ['busy', 0, 4],
      ['calm', 4, 14],
    ]);
    const figure = (of: string, figure: 'rate' | 'total' | 'p99' | 'max' | 'last', during?: string) =>
      measured(result, { of, figure, ...(during && { during }) });
    expect(figure('opened', 'rate', 'busy')).toBe(30);
    expect(figure('opened', 'rate', 'calm')).toBe(1);
    expect(figure('opened', 'total', 'busy')).toBe(120);
    expect(figure('errors', 'total', 'calm')).toBe(0);
    expect(figure('save', 'p99', 'busy')).toBeCloseTo(300, -1);
    expect(figure('save', 'max', 'calm')).toBeCloseTo(5, 0);
    expect(figure('opened.rate', 'max', 'busy')).toBe(50);
    expect(figure('opened.rate', 'last', 'busy')).toBe(10);
    expect(figure('opened', 'rate', 'cut')).toBeNull();
    expect(figure('chats', 'total', 'busy')).toBeNull();
    expect(figure('save', 'max')).toBeGreaterThan(4_900);
  });

  it('[LD24] a result of an earlier version has none', () => {
    const { phases: _, ...result } = resultOf(recordedTimes());
    expect(parseResult(JSON.stringify(result)).phases).toEqual([]);
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

  it('[LD24] may be a share of another figure, and are missed where that was not measured', () => {
    const measure = { of: 'saves', figure: 'total' } as const;
    const times = { of: 'save', figure: 'count' } as const;
    expect(check({ measure, atLeast: 0.4, times })).toMatchObject({
      wanted: expect.closeTo(40.4),
      passed: true,
    });
    expect(check({ measure, atLeast: 0.6, times }).passed).toBe(false);
    const unknown = { of: 'chats', figure: 'total' } as const;
    expect(check({ measure, atLeast: 0.6, times: unknown })).toMatchObject({ measured: 50, passed: false });
    const during = { ...measure, during: 'nowhere' };
    expect(check({ measure: during, atMost: 100 })).toMatchObject({ measured: null, passed: false });
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
    const measure = { of: 'opened', figure: 'rate', during: 'storm' };
    const thresholds = [{ title: 'Log-ins', unit: '1/s', measure, atLeast: 1 }];
    expect(() => parseScenario({ ...good, thresholds }, 'it')).toThrow('no phase');
    const [first] = good.phases as object[];
    const early = [
      { ...first, visits: { timesBest: 2 } },
      { ...first, visits: { atOnce: 8 } },
    ];
    expect(() => parseScenario({ ...good, phases: early }, 'it')).toThrow('before the best rate is found');
    expect(() => parseScenario({ ...good, phases: early.toReversed() }, 'it')).not.toThrow();
    expect(() => parseScenario({ ...good, documents: { peopleEach: 2 } }, 'it')).toThrow('closed only');
    await expect(readScenario('nope')).rejects.toMatchObject({ code: 'unknown_scenario' });
    expect(await scenarioNames()).toEqual([
      ...['growth', 'hour', 'office', 'polling', 'rooms', 'sheets', 'steady', 'storm'],
    ]);
  });
});
