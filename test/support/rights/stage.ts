import { buildXlsx } from '../xlsx-fixture.ts';
import { type DocumentName, documentNames, type Holder, type StageKind } from './grants.ts';
import { Intruder } from './intruder.ts';
import { type Breach, type Facts, judgeCallback, judgeRow, judgeTrapped, secretOf } from './judge.ts';
import type { Plan } from './plan.ts';
import { Probe } from './probe.ts';
import type { RightsWorld } from './world.ts';

/** How often what was asked for was done, so that a run in which nobody came in does not pass for a good one. */
export interface StageCounts {
  entries: number;
  intrudersChanges: number;
  callbacks: number;
}

/** Documents on which intruders play, one after the other, beside a probe in each that edits all the time. */
export class Stage {
  readonly counts: StageCounts = { entries: 0, intrudersChanges: 0, callbacks: 0 };
  readonly #world: RightsWorld;
  readonly #probes: readonly Probe[];
  readonly kind: StageKind;
  readonly #keyOf: (name: DocumentName) => string;
  readonly #holders: Map<string, Holder>;
  readonly #facts: Facts;
  /** Of documents, as they were written last. */
  readonly #states = new Map<string, string>();
  #isClosing = false;

  private constructor(of: {
    world: RightsWorld;
    probes: readonly Probe[];
    kind: StageKind;
    prefix: string;
    keyOf: (name: DocumentName) => string;
  }) {
    this.#world = of.world;
    this.#probes = of.probes;
    this.kind = of.kind;
    this.#keyOf = of.keyOf;
    const isClosing = () => this.#isClosing;
    this.#holders = new Map(of.probes.map(({ holder }) => [holder.serial, holder]));
    this.#facts = {
      prefix: of.prefix,
      holders: this.#holders,
      probes: new Map(of.probes.map(({ facts }) => [facts.key, facts])),
      baseUrls: of.world.baseUrls,
      get isClosing() {
        return isClosing();
      },
    };
  }

  /** `name` is in every key and serial of the stage. */
  static async open(world: RightsWorld, name: string, kind: StageKind): Promise<Stage> {
    const prefix = `${name}-`;
    const keyOf = (document: DocumentName) => `${prefix}${document}`;
    if (kind.fileType === 'xlsx') {
      for (const key of documentNames.map(keyOf))
        world.listeners.serve(key, buildXlsx([[secretOf(key)]], { stored: true }));
    }
    const probes: Probe[] = [];
    for (const document of ['main', 'other'] as const) {
      probes.push(await Probe.open(world, { serial: `${prefix}probe-${document}`, document, keyOf, kind }));
    }
    return new Stage({ world, probes, kind, prefix, keyOf });
  }

  get prefix(): string {
    return this.#facts.prefix;
  }

  /** One person plays a plan; tells everything that happened beyond their tokens. */
  async play(plan: Plan, number: number): Promise<Breach[]> {
    const [probe] = this.#probes;
    const place = {
      ...{ world: this.#world, keyOf: this.#keyOf, kind: this.kind },
      ...{ probe: probe!, facts: this.#facts },
    };
    const intruder = new Intruder(`${this.prefix}${number}`, place);
    this.#holders.set(intruder.holder.serial, intruder.holder);
    const breaches = await intruder.play(plan);
    const disturbed = await Promise.all(this.#probes.map((one) => one.check(this.#facts)));
    return [...breaches, ...disturbed.flat(), ...(await this.#judge())];
  }

  /** Everybody leaves; tells what happened late. */
  async close(): Promise<Breach[]> {
    const stayed = await this.#stayed();
    if (stayed.length > 0) return stayed;
    this.#isClosing = true;
    for (const probe of this.#probes) probe.leave();
    for (const name of documentNames) this.#world.listeners.forget(this.#keyOf(name));
    if (this.kind.model !== undefined) {
      for (const { facts } of this.#probes) {
        const isFinal = ({ body }: { body: Readonly<Record<string, unknown>> }) =>
          body.key === facts.key && body.status !== 1;
        const final = await this.#world.listeners.awaitCallback(isFinal);
        if (!final) {
          const breaches = await this.#judge();
          const what = `nobody was handed ${facts.key}, which is ${this.#states.get(facts.key)}`;
          return [...breaches, { kind: 'callback', what }];
        }
      }
    }
    return this.#judge();
  }

  /** Whoever left and is still there keeps a document open. */
  async #stayed(): Promise<Breach[]> {
    const breaches: Breach[] = [];
    for (const probe of this.#probes) {
      for (const { idOriginal } of await probe.stayers()) {
        breaches.push({ kind: 'entry', what: `${idOriginal} is still in ${probe.facts.key} after leaving` });
      }
    }
    return breaches;
  }

  async #judge(): Promise<Breach[]> {
    const rows = await this.#world.takeRows(this.prefix);
    const callbacks = this.#world.listeners.takeCallbacks(this.prefix);
    this.counts.entries += rows.filter(({ table, op }) => table === 'openings' && op === 'INSERT').length;
    this.counts.intrudersChanges += rows.filter(
      ({ table, op, row }) =>
        table === 'batches' && op === 'INSERT' && !String(row.user_id).includes('probe'),
    ).length;
    this.counts.callbacks += callbacks.length;
    for (const { table, row } of rows)
      if (table === 'documents') this.#states.set(String(row.key), String(row.state));
    return [
      ...rows.flatMap((row) => judgeRow(row, this.#facts)),
      ...callbacks.flatMap((callback) => judgeCallback(callback, this.#facts)),
      ...this.#world.listeners.takeTrapped(this.prefix).map(judgeTrapped),
    ];
  }
}
