import { sharedNowMs } from './clock.ts';
import { authorName } from './frame-template.ts';
import { Integrator } from './integrator.ts';
import { type LoadKind, loadKinds } from './load-kinds.ts';
import type { Problem, Setup } from './messages.ts';
import { type MeterReadings, Meters } from './meters.ts';
import { monitorStream } from './monitor-stream.ts';
import { Person } from './person.ts';
import { movesOf, type Plan, planOf, processesOfPeople, sharesOf } from './plan.ts';
import { randomFrom } from './random.ts';
import { recordersOf } from './recorders.ts';
import { type Comparisons, Rooms } from './rooms.ts';
import type { Phase } from './scenario.ts';
import { Signer } from './signer.ts';
import { TurnStream } from './turn-stream.ts';
import { type Rush, Visitors } from './visitors.ts';
import { LeanFetch } from './wire/lean-fetch.ts';
import { targetOf } from './wire/target.ts';
import type { World } from './world.ts';

const tickMs = 1;
const watchEveryMs = 1_000;
/** So many problems are told in an interval; all are counted. */
const problemsTold = 20;

/** Somebody who comes or leaves at a time. */
interface Move {
  person: Person;
  atMs: number;
  arrives: boolean;
}

/** One process of the load: the people of its documents, moved and given their turns as the phases say. */
export class LoadGenerator {
  readonly #setup: Setup;
  readonly #plan: Plan;
  readonly #meters = new Meters();
  /** How late what was due is begun. */
  readonly #late = this.#meters.latency('late');
  readonly #kind: LoadKind;
  readonly #rooms: Rooms;
  readonly #integrator: Integrator;
  /** People of this process by place; places of others are empty. */
  readonly #people: (Person | undefined)[];
  readonly #monitors: [Person, Person][];
  readonly #visitors: Visitors;
  #problems: Problem[] = [];
  #moves: Move[] = [];
  #streams: TurnStream[] = [];
  #monitorStream: TurnStream | null = null;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #hurry = new AbortController();

  private constructor(setup: Setup, integrator: Integrator) {
    this.#setup = setup;
    this.#integrator = integrator;
    this.#plan = planOf(setup.scenario, setup);
    const { scenario, changesPerSave } = setup;
    this.#kind = loadKinds[scenario.model];
    this.#rooms = new Rooms(setup.run, this.#kind, scenario.sources, changesPerSave, this.#meters);
    integrator.onEnd = (callback) => this.#rooms.ended(callback);
    integrator.onForged = (key, reason) => this.#rooms.forged(key, reason);
    const own = this.#ownPlaces();
    const world = this.#world(own);
    const recorders = recordersOf(this.#meters);
    this.#people = Array<Person | undefined>(this.#plan.people);
    for (const place of own) {
      const document = this.#plan.documentOf[place]!;
      this.#people[place] = new Person(world, recorders, String(document), document);
    }
    const { documents } = scenario;
    this.#visitors = new Visitors(world, recorders, 'peopleEach' in documents ? documents.peopleEach : 1);
    const monitoring = {
      ...recordersOf(new Meters()),
      message: this.#meters.latency('monitor.message'),
      presence: this.#meters.latency('monitor.presence'),
    };
    const pairs = Array.from({ length: scenario.monitors?.pairs ?? 0 }, (_, pair) => pair).filter(
      (pair) => pair % setup.processes === setup.process,
    );
    this.#monitors = pairs.map((pair) => {
      const one = () => new Person(world, monitoring, `m${pair}`, pair);
      return [one(), one()];
    });
  }

  static async start(setup: Setup): Promise<LoadGenerator> {
    const generator = new LoadGenerator(
      setup,
      await Integrator.start(
        setup.publicHost,
        loadKinds[setup.scenario.model],
        setup.callbackSecret ?? setup.secret,
      ),
    );
    generator.#timers.push(
      setInterval(() => generator.#tick(), tickMs),
      setInterval(() => generator.#watch(), watchEveryMs),
    );
    return generator;
  }

  /**
   * @param startAtMs of the shared clock
   * @param from people who are in, of all generators
   * @param rush visitors who come to this one
   */
  beginPhase(number: number, startAtMs: number, from: number, rush?: Rush): void {
    const phase = this.#plan.phases[number]!;
    const beginAtMs = startAtMs - sharedNowMs() + performance.now();
    if (rush) this.#visitors.begin(rush, beginAtMs);
    else this.#visitors.end();
    // Whoever was due in the phase before is not forgotten, however late this process is.
    this.#move(beginAtMs);
    this.#moves = movesOf(phase, from)
      .map(({ place, atMs, arrives }) => ({ person: this.#people[place], atMs: beginAtMs + atMs, arrives }))
      .filter((move): move is Move => move.person !== undefined)
      .reverse();
    this.#streams = phase.turns.map((turns, position) =>
      this.#streamOf(phase, turns, position, beginAtMs, from),
    );
    if (number === 0 && this.#setup.scenario.monitors) this.#beginMonitoring(beginAtMs);
  }

  take(): { readings: MeterReadings; problems: Problem[] } {
    const problems = this.#problems;
    this.#problems = [];
    this.#meters.gauges.awaitedFiles = this.#rooms.awaited;
    return { readings: this.#meters.take(), problems };
  }

  /** Everybody leaves. Resolves with what was compared when all files are there, or the time is over. */
  async finish(withinMs: number): Promise<Comparisons> {
    this.#moves = [];
    this.#streams = [];
    this.#monitorStream = null;
    this.#visitors.end();
    for (const person of this.#everybody()) person.leave();
    await this.#rooms.settle(withinMs, this.#hurry.signal);
    return this.#rooms.compared;
  }

  hurry(): void {
    this.#hurry.abort();
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#integrator.stop();
  }

  #ownPlaces(): number[] {
    const processes = processesOfPeople(this.#plan.hasVisitors, this.#setup.processes);
    const processOf = sharesOf(this.#plan, processes);
    const places: number[] = [];
    for (const [place, document] of this.#plan.documentOf.entries()) {
      if (processOf[document] === this.#setup.process) places.push(place);
    }
    return places;
  }

  #world(own: readonly number[]): World {
    const setup = this.#setup;
    const random = randomFrom(setup.seed + setup.process + 1);
    let connections = 0;
    let authors = setup.process;
    return {
      target: targetOf(setup.url),
      transport: setup.transport,
      integrator: this.#integrator,
      rooms: this.#rooms,
      meters: this.#meters,
      signer: new Signer(setup.secret),
      files: new LeanFetch(),
      kind: this.#kind,
      batches: this.#kind.batches(setup.transport, setup.changesPerSave),
      attempts: setup.scenario.attempts,
      random,
      nextConnection: () => connections++,
      nextAuthor: () => {
        authors += setup.processes;
        return authorName(authors);
      },
      problem: (kind, detail) => {
        this.#meters.count('errors');
        this.#meters.count(`error.${kind}`);
        if (this.#problems.length < problemsTold) this.#problems.push({ kind, detail });
      },
      otherDocument: () => {
        const number = this.#plan.documentOf[own[Math.floor(random() * own.length)]!]!;
        return { document: String(number), number };
      },
    };
  }

  #streamOf(
    phase: Phase,
    turns: Phase['turns'][number],
    position: number,
    beginAtMs: number,
    from: number,
  ): TurnStream {
    const places = turns.people ?? Math.max(phase.people, from);
    const actors = this.#people.slice(0, places).filter((person) => person !== undefined);
    const random = randomFrom(this.#setup.seed * 31 + this.#setup.process * 7 + position);
    return new TurnStream(turns, actors, beginAtMs, random);
  }

  #beginMonitoring(beginAtMs: number): void {
    const { everyS } = this.#setup.scenario.monitors!;
    for (const [one, other] of this.#monitors) {
      void one.arrive(beginAtMs);
      void other.arrive(beginAtMs);
    }
    this.#monitorStream = monitorStream(this.#monitors, everyS, beginAtMs, randomFrom(this.#setup.seed));
  }

  /** Moves everybody who is due. */
  #move(untilMs: number): void {
    const now = performance.now();
    for (let move = this.#moves.at(-1); move && move.atMs <= untilMs; move = this.#moves.at(-1)) {
      this.#moves.pop();
      this.#late(now - move.atMs);
      if (move.arrives) void move.person.arrive(move.atMs);
      else move.person.leave();
    }
  }

  #tick(): void {
    const now = performance.now();
    this.#move(now);
    this.#visitors.tick(now);
    const streams = this.#monitorStream ? [...this.#streams, this.#monitorStream] : this.#streams;
    for (const stream of streams) {
      for (let dueMs = stream.nextAtMs; dueMs <= now; dueMs = stream.nextAtMs) {
        this.#late(now - dueMs);
        stream.take();
      }
    }
  }

  #watch(): void {
    const now = performance.now();
    for (const person of this.#everybody()) person.watch(now);
  }

  *#everybody(): Generator<Person> {
    for (const person of this.#people) if (person) yield person;
    for (const pair of this.#monitors) yield* pair;
  }
}
