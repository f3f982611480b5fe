import { cpus, totalmem } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { late, within } from '../platform/within.ts';
import { BusyCores } from './busy-cores.ts';
import { sharedNowMs } from './clock.ts';
import { GeneratorProcess } from './generators.ts';
import { HealthCheck } from './health-check.ts';
import { loadKinds } from './load-kinds.ts';
import { loadLimitsOf } from './load-limits.ts';
import { comparisonOf, thresholdsOf } from './measures.ts';
import type { Problem } from './messages.ts';
import { rateIn } from './phase-recording.ts';
import { type Plan, planOf } from './plan.ts';
import { probe } from './probe.ts';
import { type Interval, Recording } from './recording.ts';
import { type Check, type LoadResult, resultVersion, type Sampler } from './result.ts';
import type { Comparisons } from './rooms.ts';
import { SamplerInTime } from './sampling/sampler-in-time.ts';
import type { Phase, Scenario } from './scenario.ts';
import type { Rush } from './visitors.ts';
import type { TransportName } from './wire/frames.ts';
import { targetOf } from './wire/target.ts';

/** Results have about so many intervals; the shortest is a second. */
const intervalsWanted = 720;
/** People that a process carries before another one is started, and the most that a process has descriptors for. */
const peoplePerProcess = { lean: 5_000, most: 18_000 } as const;
/** Phases begin so long after they are ordered, so that all generators know in time, milliseconds. */
const noticeMs = 100;
/** How long files are waited for at the end: as long as making them may take on a small machine. */
const drainOf = (people: number): number => 60_000 + people * 50;
/** How long files are waited for when the run was cut, milliseconds. */
const cutDrainMs = 30_000;

const progressEveryS = 5;
/** So many problems are told while it runs; all are counted. */
const problemsTold = 20;

export interface RunOptions {
  scenario: Scenario;
  url: string;
  /** What tokens are signed with; null where the target asks for none. */
  secret: string | null;
  /** What callbacks are signed with, where that is another secret. */
  callbackSecret?: string | undefined;
  scale: number;
  seed: number;
  transport: TransportName;
  changesPerSave: number;
  publicHost: string;
  durationS?: number | undefined;
  middleS?: number | undefined;
  rampLimitPerS?: number | undefined;
  /** Log-ins a second that the server can take, where a scenario need not find it out. */
  bestRatePerS?: number | undefined;
  processes?: number | undefined;
  /** Looks at the target from outside. */
  sampler?: Sampler | undefined;
  /** Ends the run with the figures so far; a second reason to hurry is `hurry`. */
  signal: AbortSignal;
  /** Files are not waited for any longer. */
  hurry: AbortSignal;
  /** Called with lines for people. */
  onProgress: (line: string) => void;
}

/** Polling takes two connections a person. */
function processesFor({ people, hasVisitors }: Plan, transport: TransportName): number {
  const most = transport === 'polling' ? peoplePerProcess.most / 2 : peoplePerProcess.most;
  const ofPeople = Math.max(people > peoplePerProcess.lean ? 2 : 1, Math.ceil(people / most));
  return ofPeople + (hasVisitors ? 1 : 0);
}

/**
 * Runs a scenario against a server and says what came of it.
 *
 * @throws ProbeError when the server does not let a first person in; GeneratorError when a process of the load fails
 */
export async function runLoad(options: RunOptions): Promise<LoadResult> {
  return await new Run(options).run();
}

/** One run, from the first connection to the result. */
class Run {
  readonly #options: RunOptions;
  readonly #plan: Plan;
  readonly #run = `load-${Date.now().toString(36)}`;
  readonly #recording = new Recording();
  readonly #busy = new BusyCores();
  readonly #health: HealthCheck;
  readonly #sampler: Sampler | null;
  readonly #intervalMs: number;
  #generators: GeneratorProcess[] = [];
  #startedAtMs = 0;
  #phase = '';
  /** The best rate of log-ins, a second, as far as it is known. */
  #bestPerS: number;
  #problems = 0;
  #lastToldS = Number.NEGATIVE_INFINITY;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#plan = planOf(options.scenario, options);
    this.#health = new HealthCheck(options.url);
    this.#sampler = options.sampler ? new SamplerInTime(options.sampler) : null;
    this.#bestPerS = options.bestRatePerS ?? 0;
    const lengthS = this.#plan.phases.reduce((sum, { forS }) => sum + forS, 0);
    this.#intervalMs = Math.max(1, Math.round(lengthS / intervalsWanted)) * 1_000;
  }

  async run(): Promise<LoadResult> {
    const options = this.#options;
    const version = await probe({ ...options, run: this.#run, kind: loadKinds[options.scenario.model] });
    const processes = options.processes ?? processesFor(this.#plan, options.transport);
    options.onProgress(this.#opening(version, processes));
    const startedAt = new Date();
    try {
      await this.#start(processes);
      this.#health.start();
      this.#startedAtMs = performance.now();
      let people = 0;
      for (const [number, phase] of this.#plan.phases.entries()) {
        if (options.signal.aborted) break;
        people = await this.#runPhase(number, phase, people);
      }
      const cut = options.signal.aborted ? 'It was interrupted.' : null;
      const compared = await this.#finish(cut === null ? drainOf(this.#plan.people) : cutDrainMs);
      return this.#result({ startedAt, version, processes, cut, compared });
    } finally {
      this.#health.stop();
      await Promise.all(this.#generators.map((generator) => generator.stop()));
    }
  }

  async #start(processes: number): Promise<void> {
    const { scenario, url, secret, callbackSecret, scale, durationS, middleS, rampLimitPerS } = this.#options;
    const { seed, transport, changesPerSave, publicHost } = this.#options;
    const given = {
      ...{ scenario, url, secret, callbackSecret, transport },
      ...{ scale, durationS, middleS, rampLimitPerS, seed },
    };
    this.#generators = Array.from({ length: processes }, () => new GeneratorProcess());
    await Promise.all(
      this.#generators.map((generator, number) =>
        generator.setUp({ ...given, changesPerSave, publicHost, run: this.#run, process: number, processes }),
      ),
    );
  }

  /** Returns how many people are in at its end, when everything went as planned. */
  async #runPhase(number: number, phase: Phase, from: number): Promise<number> {
    if (this.#options.bestRatePerS !== undefined && phase.visits && 'atOnce' in phase.visits) return from;
    this.#phase = phase.title;
    this.#recording.beginPhase(phase);
    const startAtMs = sharedNowMs() + noticeMs;
    for (const generator of this.#generators) {
      const rush = generator === this.#generators.at(-1) ? this.#rushOf(phase) : undefined;
      generator.order({ type: 'phase', phase: number, startAtMs, from, rush });
    }
    const endAtMs = startAtMs + phase.forS * 1_000;
    let beyond = 0;
    while (sharedNowMs() < endAtMs && !this.#options.signal.aborted) {
      await this.#pause(Math.min(this.#intervalMs, endAtMs - sharedNowMs()));
      const interval = await this.#interval();
      if (!phase.until) continue;
      beyond = isBeyond(phase.until, interval) ? beyond + 1 : 0;
      if (beyond < phase.until.intervals) continue;
      this.#recording.count('bend', interval.people);
      this.#options.onProgress(`It bends at ${interval.people} people.`);
      break;
    }
    this.#learnFrom(phase);
    const share = Math.min(1, Math.max(0, (sharedNowMs() - startAtMs) / (phase.forS * 1_000)));
    return Math.round(from + (phase.people - from) * share);
  }

  /** The visitors of a phase. */
  #rushOf({ visits }: Phase): Rush | undefined {
    if (visits === undefined) return undefined;
    if ('atOnce' in visits) return visits;
    // Where nobody got in, nobody is a rate.
    return this.#bestPerS > 0 ? { perS: visits.timesBest * this.#bestPerS } : undefined;
  }

  #learnFrom({ visits }: Phase): void {
    const figures = this.#recording.endPhase();
    if (!figures || !visits || !('atOnce' in visits)) return;
    const perS = rateIn(figures, 'opened') ?? 0;
    this.#options.onProgress(`${visits.atOnce} on their way at once: ${perS.toFixed(1)} log-ins a second.`);
    this.#bestPerS = Math.max(this.#bestPerS, perS);
  }

  async #finish(withinMs: number): Promise<Comparisons[]> {
    this.#phase = 'Files are waited for';
    const hurry = () => {
      for (const generator of this.#generators) generator.order({ type: 'hurry' });
    };
    const finished = Promise.all(this.#generators.map((generator) => generator.finish(withinMs)));
    this.#options.hurry.addEventListener('abort', hurry);
    if (this.#options.hurry.aborted) hurry();
    while ((await within(this.#intervalMs, finished)) === late) await this.#interval();
    // What came between the last look and the end.
    await this.#interval();
    this.#options.hurry.removeEventListener('abort', hurry);
    return finished;
  }

  async #pause(forMs: number): Promise<void> {
    await delay(Math.max(1, forMs), undefined, { signal: this.#options.signal }).catch(() => undefined);
  }

  async #interval(): Promise<Interval> {
    const sampling = this.#sampler?.sample() ?? { values: [], processes: [] };
    const reports = await Promise.all(this.#generators.map((generator) => generator.report()));
    const elapsedS = (performance.now() - this.#startedAtMs) / 1_000;
    const sample = await sampling;
    const { user, system } = process.cpuUsage();
    const own = [
      {
        ...{ name: 'load', role: 'generator' as const, pid: process.pid },
        ...{ cpuS: (user + system) / 1e6, memoryBytes: process.memoryUsage.rss() },
      },
      ...reports.map(({ cpuS, memoryBytes }, number) => ({
        ...{ name: `generator ${number + 1}`, role: 'generator' as const },
        ...{ pid: this.#generators[number]!.pid, cpuS, memoryBytes },
      })),
    ];
    const interval = this.#recording.take(
      elapsedS,
      [...reports.map(({ readings }) => readings), this.#health.take()],
      { ...sample, processes: [...sample.processes, ...own] },
      this.#busy.take(),
    );
    this.#tell(
      interval,
      reports.flatMap(({ problems }) => problems),
    );
    return interval;
  }

  #tell(interval: Interval, problems: readonly Problem[]): void {
    const { onProgress } = this.#options;
    for (const { kind, detail } of problems) {
      this.#problems += 1;
      if (this.#problems <= problemsTold) onProgress(`${kind}: ${detail}`);
    }
    if (interval.elapsedS - this.#lastToldS < progressEveryS) return;
    this.#lastToldS = interval.elapsedS;
    onProgress(progressLine(this.#phase, interval));
  }

  #opening(version: string | null, processes: number): string {
    const { scenario, scale, url } = this.#options;
    const { people, documents } = this.#plan;
    return `${scenario.title}, scale ${scale}: ${people} people in ${documents} documents, ${processes} processes, against ${url}${version === null ? '' : ` (${version})`}`;
  }

  #result(ended: {
    startedAt: Date;
    version: string | null;
    processes: number;
    cut: string | null;
    compared: Comparisons[];
  }): LoadResult {
    const { scenario, scale, seed, url, transport, changesPerSave, publicHost, bestRatePerS } = this.#options;
    if (this.#bestPerS > 0) this.#recording.count('best', this.#bestPerS);
    const recorded = this.#recording.result();
    const thresholds = thresholdsOf(recorded, scenario, scale);
    return {
      format: 'quire-load',
      version: resultVersion,
      scenario: { name: scenario.name, title: scenario.title, published: scenario.published },
      parameters: {
        transport,
        people: this.#plan.people,
        documents: this.#plan.documents,
        durationS: this.#plan.phases.reduce((sum, { forS }) => sum + forS, 0),
        changesPerSave,
        processes: ended.processes,
        publicHost,
        ...(bestRatePerS !== undefined && { bestRatePerS }),
      },
      scale,
      seed,
      target: { url, version: ended.version },
      machine: {
        cpu: cpus()[0]?.model ?? 'unknown',
        cores: cpus().length,
        memoryBytes: totalmem(),
        node: process.version,
        sharedWithTarget: targetOf(url).isLoopback,
      },
      startedAt: ended.startedAt.toISOString(),
      elapsedS: (performance.now() - this.#startedAtMs) / 1_000,
      cut: ended.cut,
      ...recorded,
      loadLimits: loadLimitsOf(recorded),
      thresholds,
      comparison: comparisonOf(recorded, scenario),
      checks: checksOf(ended.compared),
    };
  }
}

function isBeyond(until: NonNullable<Phase['until']>, { p95Ms, busyShare }: Interval): boolean {
  return (p95Ms[until.latency] ?? 0) > until.p95Ms || (busyShare ?? 0) > until.busyShare;
}

function progressLine(
  phase: string,
  { elapsedS, people, rates, p99Ms, awaitedFiles, errors }: Interval,
): string {
  const rate = (name: string, what: string) =>
    (rates[name] ?? 0) > 0 ? `, ${Math.round(rates[name]!)} ${what}/s` : '';
  const time = (name: string, what: string) =>
    p99Ms[name] === undefined ? '' : `, ${what} p99 ${p99Ms[name].toFixed(p99Ms[name] < 10 ? 1 : 0)} ms`;
  return (
    `${String(Math.round(elapsedS)).padStart(5)} s  ${phase}: ${people} in` +
    `${rate('logins', 'log-ins')}${rate('refused', 'refused')}${rate('saves', 'saves')}${rate('chats', 'messages')}${rate('received', 'received')}` +
    `${time('open', 'open')}${time('save', 'save')}${time('message', 'message')}` +
    `${awaitedFiles > 0 ? `, ${awaitedFiles} files to come` : ''}, ${errors} errors`
  );
}

function checksOf(compared: readonly Comparisons[]): Check[] {
  const titles: Record<keyof Comparisons, string> = {
    saves: 'Acknowledged saves, looked for in the log',
    texts: 'Texts of delivered files, compared with what was acknowledged',
    files: 'Changed documents, each to be delivered as a file',
  };
  return (Object.keys(titles) as (keyof Comparisons)[]).map((name) => ({
    name,
    title: titles[name],
    compared: compared.reduce((sum, one) => sum + one[name].compared, 0),
    different: compared.reduce((sum, one) => sum + one[name].different, 0),
    differences: compared.flatMap((one) => one[name].differences),
  }));
}
