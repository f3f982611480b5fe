import { cpus } from 'node:os';
import type { Histogram } from 'hdr-histogram-js';
import { latencyFigures } from './latency-figures.ts';
import { emptyHistogram, inMs, type MeterReadings, unpacked } from './meters.ts';
import { alwaysCounted, counterTitle, latencyTitle, rates, transactionTitles } from './names.ts';
import { PhaseRecording } from './phase-recording.ts';
import type {
  Latency,
  LoadResult,
  PhaseFigures,
  ProcessSeries,
  ProcessUsage,
  Sample,
  SeriesValue,
  Transaction,
} from './result.ts';

/** How an interval went, for the progress line and for what ends a phase. */
export interface Interval {
  elapsedS: number;
  people: number;
  /** By counter, a second. */
  rates: Readonly<Record<string, number>>;
  /** By latency, milliseconds. */
  p95Ms: Readonly<Record<string, number>>;
  p99Ms: Readonly<Record<string, number>>;
  awaitedFiles: number;
  /** Of all cores of this machine, 0 to 1. */
  busyShare: number;
  /** Since the start. */
  errors: number;
}

/** The parts of a result that are recorded. */
type Recorded = Pick<
  LoadResult,
  'timesS' | 'series' | 'phases' | 'latencies' | 'transactions' | 'counters' | 'processes'
>;

/** A process, with what it had used when it was looked at last. */
type SeenProcess = ProcessSeries & { last: { cpuS: number; atS: number } | null };

/** Latencies whose other half is in another one and that need no chart. */
const unseen = /\.firstByte$/;

/** Collects what generators and sampler measured in each interval, for the result. */
export class Recording {
  readonly #timesS: number[] = [];
  readonly #series = new Map<string, LoadResult['series'][number]>();
  readonly #processes = new Map<string, SeenProcess>();
  readonly #totals = new Map<string, Histogram>();
  readonly #counts: Record<string, number> = {};
  readonly #phases: PhaseRecording[] = [];
  /** Null before the first phase and after the last one. */
  #phase: PhaseRecording | null = null;

  count(name: string, value: number): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + value;
    this.#phase?.count(name, value);
  }

  /** What is taken from now on is of this phase. */
  beginPhase({ name, title }: { name: string; title: string }): void {
    this.#phase = new PhaseRecording(name, title, this.#timesS.at(-1) ?? 0);
    this.#phases.push(this.#phase);
  }

  /** What is taken from now on is of no phase. Returns what was measured in it. */
  endPhase(): PhaseFigures | null {
    const ended = this.#phase;
    this.#phase = null;
    return ended?.result() ?? null;
  }

  /**
   * Takes an interval.
   *
   * @param elapsedS its end, since the start of the run
   * @param readings what each generator measured in it
   */
  take(elapsedS: number, readings: readonly MeterReadings[], sample: Sample, busyCores: number): Interval {
    const lengthS = Math.max(0.001, elapsedS - (this.#timesS.at(-1) ?? 0));
    this.#timesS.push(elapsedS);
    this.#phase?.extend(elapsedS);
    const sumOf = (key: 'counts' | 'gauges', name: string) =>
      readings.reduce((sum, reading) => sum + (reading[key][name] ?? 0), 0);
    for (const name of new Set(readings.flatMap(({ counts }) => Object.keys(counts)))) {
      this.count(name, sumOf('counts', name));
    }
    const perSecond: Record<string, number> = {};
    for (const name of rates) perSecond[name] = sumOf('counts', name) / lengthS;
    const people = sumOf('gauges', 'sessions');
    const awaitedFiles = sumOf('gauges', 'awaitedFiles');
    this.#put({ name: 'people', title: 'In a document', unit: '', group: 'People', value: people });
    this.#put({
      ...{ name: 'opening', title: 'On their way in', unit: '', group: 'People' },
      value: sumOf('gauges', 'opening'),
    });
    for (const [name, value] of Object.entries(perSecond)) {
      this.#put({ name: `${name}.rate`, title: counterTitle(name), unit: '1/s', group: 'Rates', value });
    }
    this.#put({
      ...{ name: 'files.awaited', title: 'Files that have not come', unit: '', group: 'Files' },
      value: awaitedFiles,
    });
    this.#put({
      ...{ name: 'machine.busy', title: 'Busy cores of this machine', unit: 'cores', group: 'Machine' },
      value: busyCores,
    });
    const { p95Ms, p99Ms } = this.#takeLatencies(readings);
    for (const value of sample.values) this.#put(value);
    for (const usage of sample.processes) this.#putProcess(usage, elapsedS);
    this.#fill();
    return {
      elapsedS,
      people,
      rates: perSecond,
      p95Ms,
      p99Ms,
      awaitedFiles,
      busyShare: busyCores / cpus().length,
      errors: this.#counts.errors ?? 0,
    };
  }

  /** The parts of a result that were recorded. */
  result(): Recorded {
    const latencies = [...this.#totals]
      .filter(([name]) => !unseen.test(name))
      .map(([name, histogram]) => latencyFigures(name, histogram));
    return {
      timesS: this.#timesS,
      series: [...this.#series.values()],
      phases: this.#phases.map((phase) => phase.result()).filter(({ fromS, toS }) => toS > fromS),
      latencies,
      transactions: Object.entries(transactionTitles).flatMap(([name, title]) =>
        this.#transactionOf(name, title, latencies),
      ),
      counters: [...new Set([...alwaysCounted, ...Object.keys(this.#counts)])].map((name) => ({
        name,
        title: counterTitle(name),
        value: this.#counts[name] ?? 0,
      })),
      processes: [...this.#processes.values()].map(({ last: _, ...series }) => series),
    };
  }

  #takeLatencies(readings: readonly MeterReadings[]): Pick<Interval, 'p95Ms' | 'p99Ms'> {
    const p95Ms: Record<string, number> = {};
    const p99Ms: Record<string, number> = {};
    for (const name of new Set(readings.flatMap(({ latencies }) => Object.keys(latencies)))) {
      const interval = emptyHistogram();
      for (const { latencies } of readings) {
        if (latencies[name]) interval.add(unpacked(latencies[name]));
      }
      const total = this.#totals.get(name) ?? emptyHistogram();
      total.add(interval);
      this.#totals.set(name, total);
      if (!unseen.test(name)) this.#phase?.add(name, interval);
      p95Ms[name] = inMs(interval.getValueAtPercentile(95));
      p99Ms[name] = inMs(interval.getValueAtPercentile(99));
      if (unseen.test(name)) continue;
      const line = { unit: 'ms', group: latencyTitle(name) };
      this.#put({
        ...line,
        name: `${name}.p50`,
        title: 'p50',
        value: inMs(interval.getValueAtPercentile(50)),
      });
      this.#put({ ...line, name: `${name}.p95`, title: 'p95', value: p95Ms[name] });
      this.#put({ ...line, name: `${name}.p99`, title: 'p99', value: p99Ms[name] });
      this.#put({ ...line, name: `${name}.max`, title: 'max', value: inMs(interval.maxValue) });
    }
    return { p95Ms, p99Ms };
  }

  #transactionOf(name: string, title: string, latencies: readonly Latency[]): Transaction[] {
    const passed = latencies.find((latency) => latency.name === name);
    const failed = this.#counts[`${name}.failed`] ?? 0;
    if (!passed && failed === 0) return [];
    const firstByte = this.#totals.get(`${name}.firstByte`);
    return [
      {
        name,
        title,
        passed: passed?.count ?? 0,
        failed,
        meanMs: passed?.meanMs ?? 0,
        standardDeviationMs: passed?.standardDeviationMs ?? 0,
        firstByteMs: firstByte ? inMs(firstByte.mean) : null,
      },
    ];
  }

  #put({ value, ...info }: SeriesValue): void {
    const series = this.#series.get(info.name) ?? { ...info, points: [] };
    this.#series.set(info.name, series);
    put(series.points, this.#timesS.length, value);
  }

  /** Cores are those of the time since the process was looked at before. */
  #putProcess({ cpuS, memoryBytes, ...info }: ProcessUsage, elapsedS: number): void {
    const series = this.#processes.get(info.name) ?? { ...info, cpuCores: [], memoryBytes: [], last: null };
    this.#processes.set(info.name, series);
    const { last } = series;
    const cores =
      last === null || series.pid !== info.pid
        ? null
        : Math.max(0, cpuS - last.cpuS) / Math.max(0.001, elapsedS - last.atS);
    put(series.cpuCores, this.#timesS.length, cores);
    put(series.memoryBytes, this.#timesS.length, memoryBytes);
    series.pid = info.pid;
    series.last = { cpuS, atS: elapsedS };
  }

  /** Lines that had no value in this interval have null there. */
  #fill(): void {
    const { length } = this.#timesS;
    const lines = [
      ...[...this.#series.values()].map(({ points }) => points),
      ...[...this.#processes.values()].flatMap(({ cpuCores, memoryBytes }) => [cpuCores, memoryBytes]),
    ];
    for (const line of lines) while (line.length < length) line.push(null);
  }
}

/** Puts the value of the newest interval at its place; the intervals before it that had none get null. */
function put(line: (number | null)[], length: number, value: number | null): void {
  while (line.length < length - 1) line.push(null);
  line[length - 1] = value;
}
