import { type LoadResult, parseResult } from '../../load/result.ts';

/** What a process takes. */
export interface Costs {
  /** Cores of each process that has nothing to do. */
  idleCores: number;
  /** CPU of each connection in a second, milliseconds. */
  connectionMs: number;
  /** CPU of one save, milliseconds. */
  saveMs: number;
  /** CPU of one message, milliseconds. */
  messageMs: number;
  baseMb: number;
  connectionKb: number;
}

export const noCosts: Costs = {
  ...{ idleCores: 0, connectionMs: 0, saveMs: 0, messageMs: 0, baseMb: 0, connectionKb: 0 },
};

/** One stretch of a run. */
interface Stretch {
  forS: number;
  /** At its end; it changes evenly. */
  people: number;
  savesPerS: number;
  messagesPerS: number;
}

interface SyntheticRun {
  stretches: readonly Stretch[];
  nodes?: number;
  costs?: Partial<Record<'service' | 'database' | 'redis' | 'converter', Partial<Costs>>>;
  /** Share of every value by which it goes up and down. */
  noise?: number;
  everyS?: number;
  /** By how much times and costs are longer than usual. */
  slower?: number;
}

/** A result as a run would give it whose processes cost exactly what is said. */
export function syntheticResult(
  { stretches, nodes = 1, costs = {}, noise = 0, everyS = 1, slower = 1 }: SyntheticRun,
  changes: Partial<LoadResult> = {},
): LoadResult {
  let state = 42;
  const wave = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return 1 + noise * (state / 2 ** 30 - 1);
  };
  const moments = stretches.flatMap((stretch, at) => {
    const from = stretches[at - 1]?.people ?? 0;
    const count = Math.round(stretch.forS / everyS);
    return Array.from({ length: count }, (_, step) => ({
      people: Math.round(from + ((stretch.people - from) * (step + 1)) / count),
      saves: stretch.savesPerS * wave(),
      messages: stretch.messagesPerS * wave(),
    }));
  });
  const line = (of: (moment: (typeof moments)[number]) => number) => moments.map((one) => of(one));
  const series = (name: string, title: string, unit: string, group: string, points: number[]) => ({
    ...{ name, title, unit, group, points },
  });
  const processes = Object.entries(costs).flatMap(([role, given]) => {
    const cost = { ...noCosts, ...given };
    const count = role === 'service' ? nodes : 1;
    return Array.from({ length: count }, (_, at) => ({
      ...{ name: at === 0 ? role : `${role} ${at + 1}`, role: role as 'service', pid: 1_000 + at },
      cpuCores: line(
        (now) =>
          slower *
          wave() *
          (cost.idleCores +
            (now.people * cost.connectionMs + now.saves * cost.saveMs + now.messages * cost.messageMs) /
              1_000 /
              count),
      ),
      memoryBytes: line((now) => 1e6 * cost.baseMb + (1e3 * cost.connectionKb * now.people) / count),
    }));
  });
  const latency = (name: string, title: string, ms: number) => ({
    ...{ name, title, count: 1_000, meanMs: ms, standardDeviationMs: ms / 2, p50Ms: ms * 0.8, p90Ms: ms * 2 },
    ...{ p95Ms: ms * 3, p99Ms: ms * 6, p999Ms: ms * 15, maxMs: ms * 40 },
  });
  return parseResult(
    JSON.stringify({
      ...{ format: 'quire-load', version: 1, scale: 1, seed: 7, cut: null },
      scenario: {
        ...{ name: 'hour', title: 'An hour of ten thousand' },
        published: { source: 'ONLYOFFICE Docs 7.2.2', year: 2023, machine: '32 cores, 64 GB, fast SSD' },
      },
      parameters: { transport: 'websocket', interval: 1 },
      target: { url: 'http://127.0.0.1:8000', version: '0.1.0' },
      machine: { cpu: 'EPYC', cores: 2, memoryBytes: 24e9, node: '20.20.2', sharedWithTarget: true },
      ...{ startedAt: '2026-11-25T02:00:00.000Z', elapsedS: moments.length * everyS },
      timesS: moments.map((_, at) => (at + 1) * everyS),
      series: [
        series(
          'people',
          'People in documents',
          '',
          'People',
          line(({ people }) => people),
        ),
        series(
          'saves.rate',
          'Saves acknowledged',
          '1/s',
          'Rates',
          line(({ saves }) => saves),
        ),
        series(
          'chats.rate',
          'Messages sent',
          '1/s',
          'Rates',
          line(({ messages }) => messages),
        ),
        series(
          'save.p50',
          'p50',
          'ms',
          'A save, acknowledged',
          line(() => 0.9 * slower * wave()),
        ),
        series(
          'save.p99',
          'p99',
          'ms',
          'A save, acknowledged',
          line(() => 12 * slower * wave()),
        ),
        series(
          'target.connections',
          'Connections',
          '',
          'Connections at the target',
          line(({ people }) => people),
        ),
        series(
          'target.loop-delay.max',
          'Longest',
          'ms',
          'Delay of the event loop',
          line(() => 20 * wave()),
        ),
        series(
          'target.gc.max',
          'Service',
          'ms',
          'Garbage collection: the longest pause',
          line(() => 10 * wave()),
        ),
      ],
      latencies: [
        latency('save', 'A save, from when it was due to its acknowledgement', slower),
        latency('open', 'Opening a document', 20 * slower),
      ],
      transactions: [
        {
          ...{
            name: 'save',
            title: 'Save',
            passed: 99_999,
            failed: 1,
            meanMs: slower,
            standardDeviationMs: 1,
          },
          firstByteMs: null,
        },
      ],
      counters: [
        { name: 'errors', title: 'Errors', value: 0 },
        { name: 'saves', title: 'Saves acknowledged', value: 100_000 },
      ],
      processes,
      thresholds: [
        {
          ...{
            name: 'save.p99',
            title: 'A save acknowledged, p99',
            unit: 'ms',
            bound: 'at most',
            wanted: 100,
          },
          ...{ measured: 6 * slower, passed: 6 * slower <= 100 },
        },
      ],
      comparison: [{ what: 'A save acknowledged, mean', theirs: '8,400 ms', ours: '1.0 ms' }],
      checks: [
        {
          ...{ name: 'acks', title: 'Acknowledged saves in the log', compared: 6_000_000, different: 0 },
          differences: [],
        },
      ],
      ...changes,
    }),
  );
}
