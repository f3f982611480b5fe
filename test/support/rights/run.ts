import { cellPlanOf } from './cell-plan.ts';
import { type StageKind, stageKinds } from './grants.ts';
import type { Breach } from './judge.ts';
import { type Plan, planOf, rowsOf } from './plan.ts';
import { playRestricted, type RestrictedPlan } from './restricted-stage.ts';
import { Stage } from './stage.ts';
import { playWopi } from './wopi-stage.ts';
import { wordPlanOf } from './word-plan.ts';
import type { RightsWorld } from './world.ts';

export interface RightsOptions {
  seed: number;
  /** Number of the first session: a run can be begun where another one stopped. */
  first?: number;
  sessions: number;
  /** Stages that are played on at once. */
  parallel?: number;
  /** Hears how far it is, now and then. */
  progress?: (counts: RightsCounts) => void;
  /** Hears of each breach when it is found. */
  found?: (finding: Finding) => void;
  /**
   * Whether it is to end. Where a whole group of processes is ended, the servers end as well: what sessions fail of then is nobody's
   * breach, and what was found before counts.
   */
  isStopping?: () => boolean;
}

/** What was done and what came of it, so that a run in which nobody came in does not pass for a good one. */
export interface RightsCounts {
  sessions: number;
  entries: number;
  intrudersChanges: number;
  callbacks: number;
  wordFiles: number;
  wordFilesChanged: number;
  cellFiles: number;
  cellFilesChanged: number;
  wopiPages: number;
  wopiFilesStored: number;
  /** How often something was sent by each row of the tables of rights. */
  rows: Record<string, number>;
}

/** A breach, with the least that brings it about. */
export interface Finding {
  readonly seed: number;
  readonly session: number;
  readonly breach: Breach;
  /** Null where played again, alone, it did not happen. */
  readonly plan: Plan | { readonly role: string; readonly changes: readonly string[] } | null;
}

/** So many sessions are played on the same documents. */
const sessionsPerStage = 40;
/** One session in so many is of somebody with a part of the rights to a text document, and one to a workbook. */
const restrictedEvery = 12;
/** One in so many is of somebody with the page of a WOPI host. */
const wopiEvery = 15;
/** Plans are made shorter for so many findings; of the same kind the first one says enough. */
const shortenedAtMost = 12;

const seedOf = (seed: number, session: number): number => (Math.imul(seed, 1_000_003) + session) >>> 0;

/** Plays sessions of intruders with lawful tokens, and gives what happened that none of their tokens grants. */
export async function runRights(
  world: RightsWorld,
  options: RightsOptions,
): Promise<{ counts: RightsCounts; findings: Finding[] }> {
  return new RightsRun(world, options).run();
}

class RightsRun {
  readonly #world: RightsWorld;
  readonly #options: RightsOptions;
  readonly #counts: RightsCounts = {
    ...{ sessions: 0, entries: 0, intrudersChanges: 0, callbacks: 0, wordFiles: 0, wordFilesChanged: 0 },
    ...{ cellFiles: 0, cellFilesChanged: 0 },
    ...{ wopiPages: 0, wopiFilesStored: 0, rows: {} },
  };
  readonly #findings = new Map<string, Finding>();
  #stages = 0;
  #next: number;

  constructor(world: RightsWorld, options: RightsOptions) {
    this.#world = world;
    this.#options = options;
    this.#next = options.first ?? 0;
  }

  async run(): Promise<{ counts: RightsCounts; findings: Finding[] }> {
    const { parallel = 4 } = this.#options;
    await Promise.all(Array.from({ length: parallel }, () => this.#work()));
    return { counts: this.#counts, findings: [...this.#findings.values()] };
  }

  get #isStopping(): boolean {
    return this.#options.isStopping?.() === true;
  }

  get #isOver(): boolean {
    const { first = 0, sessions } = this.#options;
    return this.#next >= first + sessions || this.#isStopping;
  }

  async #work(): Promise<void> {
    try {
      while (!this.#isOver) await this.#playStage();
    } catch (error) {
      // See `isStopping`.
      if (!this.#isStopping) throw error;
    }
  }

  async #playStage(): Promise<void> {
    this.#stages += 1;
    const kinds = Object.values(stageKinds);
    const stage = await this.#open(kinds[this.#stages % kinds.length]!);
    const plans = new Map<number, Plan>();
    for (let played = 0; played < sessionsPerStage && !this.#isOver; played += 1) {
      const session = this.#next;
      this.#next += 1;
      this.#counts.sessions += 1;
      if (session % restrictedEvery === 0) await this.#playRestricted(session, 'word', wordPlanOf);
      else if (session % restrictedEvery === restrictedEvery / 2)
        await this.#playRestricted(session, 'cell', cellPlanOf);
      else if (session % wopiEvery === 0) await this.#playWopi(session);
      else {
        const plan = planOf(seedOf(this.#options.seed, session));
        plans.set(session, plan);
        for (const row of plan.steps.flatMap(rowsOf))
          this.#counts.rows[row] = (this.#counts.rows[row] ?? 0) + 1;
        const breaches = await stage.play(plan, session);
        await this.#note(stage, breaches, session, plans);
        // Nobody plays beside a probe that is not there any more.
        if (breaches.some(({ kind }) => kind === 'shut-out')) break;
      }
      if (this.#counts.sessions % 100 === 0) this.#options.progress?.(this.#counts);
    }
    await this.#note(stage, await stage.close(), [...plans.keys()].at(-1) ?? 0, plans);
    for (const name of ['entries', 'intrudersChanges', 'callbacks'] as const)
      this.#counts[name] += stage.counts[name];
  }

  #open(kind: StageKind): Promise<Stage> {
    return Stage.open(
      this.#world,
      `r${this.#options.seed}s${this.#stages}${Math.random().toString(36).slice(2, 6)}`,
      kind,
    );
  }

  /** Keeps the first breach of each kind, with the shortest plan that brings it about. */
  async #note(
    stage: Stage,
    breaches: readonly Breach[],
    session: number,
    plans: ReadonlyMap<number, Plan>,
  ): Promise<void> {
    if (this.#isStopping) return;
    for (const breach of breaches) {
      const signature = signatureOf(breach);
      if (this.#findings.has(signature)) continue;
      // What happens late is told by the serial of whoever brought it about.
      const said = new RegExp(`${stage.prefix}(\\d+)`).exec(breach.what)?.[1];
      const culprit = said !== undefined && plans.has(Number(said)) ? Number(said) : session;
      const finding = { seed: this.#options.seed, session: culprit, breach, plan: null };
      this.#findings.set(signature, finding);
      const plan = plans.get(culprit);
      const isWorthIt = plan && this.#findings.size <= shortenedAtMost;
      const shortest = isWorthIt ? await this.#shorten(plan, signature, stage.kind) : null;
      this.#findings.set(signature, { ...finding, plan: shortest });
      this.#options.found?.(this.#findings.get(signature)!);
    }
  }

  /** Leaves out one step after the other, and fields of messages, as long as the same happens on documents of its own. */
  async #shorten(plan: Plan, signature: string, kind: StageKind): Promise<Plan | null> {
    const happens = async (tried: Plan): Promise<boolean> => {
      this.#stages += 1;
      const stage = await this.#open(kind);
      const breaches = [...(await stage.play(tried, 0)), ...(await stage.close())];
      return breaches.some((breach) => signatureOf(breach) === signature);
    };
    if (!(await happens(plan))) return null;
    let shortest = plan;
    for (let step = plan.steps.length - 1; step >= 0; step -= 1) {
      const tried = { ...shortest, steps: shortest.steps.filter((_one, number) => number !== step) };
      if (await happens(tried)) shortest = tried;
    }
    return shortest;
  }

  async #playWopi(session: number): Promise<void> {
    const { seed } = this.#options;
    const name = `r${seed}h${session}${Math.random().toString(36).slice(2, 6)}`;
    const { isStored, breaches } = await playWopi(this.#world, name, seedOf(seed, session));
    this.#counts.wopiPages += 1;
    if (isStored) this.#counts.wopiFilesStored += 1;
    for (const breach of breaches) this.#noteAlone(session, breach, `wopi ${signatureOf(breach)}`, null);
  }

  async #playRestricted(
    session: number,
    kind: 'word' | 'cell',
    planOf: (seed: number) => RestrictedPlan,
  ): Promise<void> {
    const { seed } = this.#options;
    const plan = planOf(seedOf(seed, session));
    const key = `r${seed}w${session}${Math.random().toString(36).slice(2, 6)}`;
    let changes: string[] = [];
    const { isChanged, breaches } = await playRestricted(this.#world, key, {
      ...plan,
      changesOf: (model, author) => {
        changes = plan.changesOf(model, author);
        return changes;
      },
    });
    this.#counts[`${kind}Files`] += 1;
    if (isChanged) this.#counts[`${kind}FilesChanged`] += 1;
    for (const breach of breaches) {
      const played = { role: plan.role, changes };
      this.#noteAlone(session, breach, `${kind} ${breach.kind} ${plan.role}`, played);
    }
  }

  /** Keeps the first breach of each kind of a session that has documents of its own. */
  #noteAlone(session: number, breach: Breach, signature: string, plan: Finding['plan']): void {
    if (this.#isStopping || this.#findings.has(signature)) return;
    const finding = { seed: this.#options.seed, session, breach, plan };
    this.#findings.set(signature, finding);
    this.#options.found?.(finding);
  }
}

/** What a breach is, whoever brought it about and where. */
const signatureOf = ({ kind, what }: Breach): string =>
  `${kind} ${what.replaceAll(/r\d+[sh][\da-z]+-/g, '').replaceAll(/\d+/g, '0')}`;
