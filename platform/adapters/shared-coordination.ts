import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Coordination,
  CoordinationUnavailable,
  type DocumentBus,
  type NodeLeases,
  type SharedList,
  type SharedValue,
} from '../ports/coordination.ts';

import { ownedVersion, ownerOf, ValueOwnership } from './value-ownership.ts';

const mostAttempts = 40;
const longestPauseMs = 50;
/** A value that another node owns is waited for this long. */
const ownerPatienceMs = 2_000;
/** A value that is owned here is written to the store this often, which drops values that nobody reads. */
const showEveryMs = 600_000;
/** The number of documents whose values are remembered; these are checked with each step, never trusted. */
const rememberedDocuments = 20_000;
/** How many documents are looked at to find one that can be forgotten. */
const forgettingLooks = 8;

/** A value as JSON under the version it was put with; both empty where there is none. */
export type VersionedValue = readonly [version: string, value: string];

/** Where values are kept for several processes. All of it throws when the place does not answer. */
export interface SharedValueStore {
  /**
   * Puts a content in the place of the one whose version is `expected`; with null, it stays. Null when the version was that
   * one, and what there is otherwise. One atomic step.
   */
  compareAndPut(
    documentKey: string,
    name: string,
    expected: string,
    content: VersionedValue | null,
  ): Promise<VersionedValue | null>;
  /** Adds an entry, JSON, to the end of a list, and drops the oldest ones beyond its bounds. One atomic step. */
  append(documentKey: string, list: SharedList, entry: string): Promise<void>;
  entries(documentKey: string, name: string): Promise<readonly string[]>;
  clear(documentKey: string, name: string): Promise<void>;
}

interface Task {
  empty: unknown;
  step(state: unknown): readonly [unknown, unknown];
  /** Another node asked for the value. */
  givesUp: boolean;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** A value as this process knows it. `version` is empty when there is none. */
interface KnownValue {
  version: string;
  state: unknown;
  isOwn: ((state: unknown) => boolean) | undefined;
  /** Nobody else makes steps of it: the state is what counts, whatever the store has. */
  isOwnedHere: boolean;
  /** The state is a later one than the store has under this version. */
  isAhead: boolean;
  storedAtMs: number;
  waiting: Task[];
  isRunning: boolean;
}

/**
 * Coordination of several processes: each computes the new state of a value from the one it knows, and the store puts it if
 * nobody was faster. The steps of this process that wait for each other are made together. A value that is this node's own
 * (`SharedValue.isOwn`) is kept here, until others ask for it.
 */
export class SharedCoordination implements Coordination {
  readonly #store: SharedValueStore;
  readonly #documents = new Map<string, Map<string, KnownValue>>();
  /** No two values ever have the same version, also on several nodes. */
  readonly #self = randomUUID();
  #versions = 0;
  #ownership: ValueOwnership | null = null;
  #isClosed = false;

  constructor(store: SharedValueStore) {
    this.#store = store;
  }

  /** One that owns values. @throws Error when the bus does not answer */
  static async withOwnership(
    store: SharedValueStore,
    bus: DocumentBus,
    leases: NodeLeases,
  ): Promise<SharedCoordination> {
    const coordination = new SharedCoordination(store);
    coordination.#ownership = await ValueOwnership.open(bus, leases, {
      giveUp: (documentKey, name) => {
        // The node that asked asks again.
        coordination.#giveUp(documentKey, name).catch(() => undefined);
      },
      doubtAll: () => {
        for (const known of coordination.#allKnown()) known.isOwnedHere = false;
      },
    });
    return coordination;
  }

  update<State, Result>(
    documentKey: string,
    value: SharedValue<State>,
    step: (state: State) => readonly [State, Result],
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const known = this.#known(documentKey, value.name);
      known.isOwn = value.isOwn as KnownValue['isOwn'];
      this.#line(documentKey, value.name, known, {
        empty: value.empty,
        step: step as Task['step'],
        givesUp: false,
        resolve: resolve as Task['resolve'],
        reject,
      });
    });
  }

  /** Gives up every value that is owned here, and owns none any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const kept = [...this.#documents].flatMap(([key, values]) =>
      [...values].filter(([, { isOwnedHere }]) => isOwnedHere).map(([name]) => [key, name] as const),
    );
    await Promise.allSettled(kept.map(([key, name]) => this.#giveUp(key, name)));
    this.#ownership?.close();
  }

  async append(documentKey: string, list: SharedList, entry: unknown): Promise<void> {
    await this.#asking(() => this.#store.append(documentKey, list, JSON.stringify(entry)));
  }

  async entries<Entry>(documentKey: string, { name }: SharedList): Promise<readonly Entry[]> {
    const entries = await this.#asking(() => this.#store.entries(documentKey, name));
    return entries.map((entry) => JSON.parse(entry) as Entry);
  }

  async clear(documentKey: string, { name }: SharedList): Promise<void> {
    await this.#asking(() => this.#store.clear(documentKey, name));
  }

  async #run(documentKey: string, name: string, known: KnownValue): Promise<void> {
    known.isRunning = true;
    while (known.waiting.length > 0) {
      const tasks = known.waiting.splice(0);
      try {
        await this.#make(documentKey, name, known, tasks);
      } catch (error) {
        for (const task of tasks) task.reject(error);
      }
    }
    known.isRunning = false;
  }

  async #make(documentKey: string, name: string, known: KnownValue, tasks: readonly Task[]): Promise<void> {
    /** A version whose owner is gone. */
    let left: string | null = null;
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      // Somebody else was faster several times: the next attempt is at another time than theirs, and from what they left.
      if (attempt > 1) {
        await sleep(Math.random() * Math.min(longestPauseMs, 2 ** attempt));
        await this.#look(documentKey, name, known);
      }
      const isElsewhere = !known.isOwnedHere && hasOwner(known) && known.version !== left;
      if (isElsewhere && !(await this.#isFree(documentKey, name, known))) left = known.version;
      const made = madeOf(known, tasks);
      const stays = this.#mayStay(known, made.state, tasks);
      const mustPut =
        made.changed || known.isAhead || (tasks.some(({ givesUp }) => givesUp) && hasOwner(known));
      if (known.isOwnedHere && stays && performance.now() - known.storedAtMs < showEveryMs) {
        Object.assign(known, { state: made.state, isAhead: known.isAhead || made.changed });
        for (const settle of made.outcomes) settle();
        return;
      }
      const content = mustPut ? this.#contentOf(made.state, stays) : null;
      known.isOwnedHere = false;
      const found = await this.#asking(() =>
        this.#store.compareAndPut(documentKey, name, known.version, content),
      );
      // A command that the way to the store sent again finds what it has put itself.
      if (found === null || (content !== null && content[0] !== '' && found[0] === content[0])) {
        if (content) Object.assign(known, { version: content[0], state: made.state, isAhead: false });
        known.storedAtMs = performance.now();
        known.isOwnedHere =
          stays && this.#ownership !== null && ownerOf(known.version) === this.#ownership.nodeId;
        for (const settle of made.outcomes) settle();
        return;
      }
      adopt(known, found);
    }
    throw new CoordinationUnavailable('A step lost against the steps of others too often');
  }

  /** Takes over what the store has. Resolves with whether that was another content than the known one. */
  async #look(documentKey: string, name: string, known: KnownValue): Promise<boolean> {
    const found = await this.#asking(() => this.#store.compareAndPut(documentKey, name, known.version, null));
    if (found) adopt(known, found);
    return found !== null;
  }

  /** Asks another node that owns the value to give it up. False when that node is gone and did not give it up. */
  async #isFree(documentKey: string, name: string, known: KnownValue): Promise<boolean> {
    const ownership = this.#ownership;
    const ownerNow = () => {
      const owner = ownerOf(known.version);
      return owner === ownership?.nodeId ? null : owner;
    };
    for (let owner = ownerNow(); owner !== null && ownership; owner = ownerNow()) {
      const isGivenUp = () => this.#look(documentKey, name, known);
      const from = owner;
      const obtain = () => ownership.obtain(from, documentKey, name, isGivenUp, ownerPatienceMs);
      if (!(await this.#asking(obtain))) return false;
    }
    return true;
  }

  /** Whether a state can be kept here from now on. */
  #mayStay(known: KnownValue, state: unknown, tasks: readonly Task[]): boolean {
    if (!this.#ownership || this.#isClosed || state === undefined || known.isOwn?.(state) !== true)
      return false;
    return !tasks.some(({ givesUp }) => givesUp) && this.#ownership.mayOwn();
  }

  /** Has others make steps of a value again. */
  #giveUp(documentKey: string, name: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const known = this.#known(documentKey, name);
      const step = (state: unknown) => [state, undefined] as const;
      this.#line(documentKey, name, known, { empty: undefined, step, givesUp: true, resolve, reject });
    });
  }

  #line(documentKey: string, name: string, known: KnownValue, task: Task): void {
    known.waiting.push(task);
    if (!known.isRunning) void this.#run(documentKey, name, known);
  }

  async #asking<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (cause) {
      throw new CoordinationUnavailable('A step could not be made', { cause });
    }
  }

  #contentOf(state: unknown, isOwnedHere: boolean): VersionedValue {
    if (state === undefined) return ['', ''];
    this.#versions += 1;
    const version = `${this.#self}.${this.#versions}`;
    const shownVersion =
      isOwnedHere && this.#ownership ? ownedVersion(this.#ownership.nodeId, version) : version;
    return [shownVersion, JSON.stringify(state)];
  }

  *#allKnown(): Iterable<KnownValue> {
    for (const values of this.#documents.values()) yield* values.values();
  }

  #known(documentKey: string, name: string): KnownValue {
    const values = this.#documents.get(documentKey) ?? new Map<string, KnownValue>();
    this.#documents.delete(documentKey);
    this.#documents.set(documentKey, values);
    if (this.#documents.size > rememberedDocuments) this.#forgetOldest();
    const found = values.get(name);
    if (found) return found;
    const made: KnownValue = {
      version: '',
      state: undefined,
      isOwn: undefined,
      isOwnedHere: false,
      isAhead: false,
      storedAtMs: 0,
      waiting: [],
      isRunning: false,
    };
    values.set(name, made);
    return made;
  }

  /** Drops a document whose values the store has, too. Others are looked at again later. */
  #forgetOldest(): void {
    for (const [key, values] of [...firstOf(this.#documents, forgettingLooks)]) {
      this.#documents.delete(key);
      const stays = [...values.values()].some((one) => one.isRunning || one.isOwnedHere || one.isAhead);
      if (!stays) return;
      this.#documents.set(key, values);
    }
  }
}

function* firstOf<Item>(items: Iterable<Item>, count: number): Iterable<Item> {
  let left = count;
  for (const item of items) {
    if (left === 0) return;
    left -= 1;
    yield item;
  }
}

/** Takes over what the store has. */
function adopt(known: KnownValue, [version, text]: VersionedValue): void {
  const state = version === '' ? undefined : (JSON.parse(text) as unknown);
  Object.assign(known, { version, state, isOwnedHere: false, isAhead: false });
}

const hasOwner = ({ version }: KnownValue): boolean => ownerOf(version) !== null;

/** What the steps make of a value, one after the other, and how each is answered once that is put. */
function madeOf(
  known: KnownValue,
  tasks: readonly Task[],
): { state: unknown; changed: boolean; outcomes: readonly (() => void)[] } {
  let state = known.version === '' ? undefined : known.state;
  let changed = false;
  const outcomes = tasks.map((task) => {
    const before = state === undefined ? task.empty : state;
    try {
      const [after, result] = task.step(before);
      changed ||= after !== before;
      // An empty value is none at all, so that nothing stays of a document that everybody has left.
      state = after === task.empty ? undefined : after;
      return () => task.resolve(result);
    } catch (error) {
      return () => task.reject(error);
    }
  });
  return { state, changed, outcomes };
}
