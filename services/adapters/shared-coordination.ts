import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cell, type Coordination, CoordinationUnavailable } from '../ports/coordination.ts';

const mostAttempts = 40;
const longestPauseMs = 50;
/** Values of so many documents are remembered; they are checked with each step, never trusted. */
const rememberedDocuments = 2_000;

/** A cell's value as JSON under the version it was put with; both empty where there is none. */
export type CellContent = readonly [version: string, value: string];

/** Where cells are kept for several processes. All of it throws when the place does not answer. */
export interface CellStore {
  /**
   * Puts a content in the place of the one whose version is `expected`; with null, it stays. Null when the version was that
   * one, and what there is otherwise. One atomic step.
   */
  compareAndPut(
    documentKey: string,
    cell: string,
    expected: string,
    content: CellContent | null,
  ): Promise<CellContent | null>;
  removeAll(documentKey: string): Promise<void>;
}

interface Task {
  empty: unknown;
  step(state: unknown): readonly [unknown, unknown];
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** A cell as this process knows it. `version` is empty when it has no value. */
interface KnownCell {
  version: string;
  state: unknown;
  waiting: Task[];
  isRunning: boolean;
}

/**
 * Coordination of several processes: each computes the new value of a cell from the one it knows, and the store puts it if
 * nobody was faster. The steps of this process that wait for each other are made together.
 */
export class SharedCoordination implements Coordination {
  readonly #store: CellStore;
  readonly #documents = new Map<string, Map<string, KnownCell>>();
  /** No two values ever have the same version, whoever put them. */
  readonly #self = randomUUID();
  #versions = 0;

  constructor(store: CellStore) {
    this.#store = store;
  }

  update<State, Result>(
    documentKey: string,
    cell: Cell<State>,
    step: (state: State) => readonly [State, Result],
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const known = this.#cell(documentKey, cell.name);
      known.waiting.push({
        empty: cell.empty,
        step: step as Task['step'],
        resolve: resolve as Task['resolve'],
        reject,
      });
      if (!known.isRunning) void this.#run(documentKey, cell.name, known);
    });
  }

  async forget(documentKey: string): Promise<void> {
    for (const known of this.#documents.get(documentKey)?.values() ?? []) known.version = '';
    await this.#asking(() => this.#store.removeAll(documentKey));
  }

  async #run(documentKey: string, name: string, known: KnownCell): Promise<void> {
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

  async #make(documentKey: string, name: string, known: KnownCell, tasks: readonly Task[]): Promise<void> {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      // Somebody else was faster several times: the next attempt is at another time than theirs.
      if (attempt > 1) await sleep(Math.random() * Math.min(longestPauseMs, 2 ** attempt));
      const made = madeOf(known, tasks);
      const content = made.changed ? this.#contentOf(made.state) : null;
      const found = await this.#asking(() =>
        this.#store.compareAndPut(documentKey, name, known.version, content),
      );
      // A command that the way to the store sent again finds what it has put itself.
      if (found === null || (content !== null && content[0] !== '' && found[0] === content[0])) {
        if (content) Object.assign(known, { version: content[0], state: made.state });
        for (const settle of made.outcomes) settle();
        return;
      }
      const [present, text] = found;
      Object.assign(known, { version: present, state: present === '' ? undefined : JSON.parse(text) });
    }
    throw new CoordinationUnavailable('A step lost against the steps of others too often');
  }

  async #asking<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (cause) {
      throw new CoordinationUnavailable('A step could not be made', { cause });
    }
  }

  #contentOf(state: unknown): CellContent {
    if (state === undefined) return ['', ''];
    this.#versions += 1;
    return [`${this.#self}.${this.#versions}`, JSON.stringify(state)];
  }

  #cell(documentKey: string, name: string): KnownCell {
    const cells = this.#documents.get(documentKey) ?? new Map<string, KnownCell>();
    this.#documents.delete(documentKey);
    this.#documents.set(documentKey, cells);
    if (this.#documents.size > rememberedDocuments) this.#forgetOldest();
    const found = cells.get(name);
    if (found) return found;
    const made: KnownCell = { version: '', state: undefined, waiting: [], isRunning: false };
    cells.set(name, made);
    return made;
  }

  #forgetOldest(): void {
    for (const [key, cells] of this.#documents) {
      if ([...cells.values()].some(({ isRunning }) => isRunning)) continue;
      this.#documents.delete(key);
      return;
    }
  }
}

/** What the steps make of a cell, one after the other, and how each is answered once that is put. */
function madeOf(
  known: KnownCell,
  tasks: readonly Task[],
): { state: unknown; changed: boolean; outcomes: readonly (() => void)[] } {
  let state = known.version === '' ? undefined : known.state;
  let changed = false;
  const outcomes = tasks.map((task) => {
    const before = state === undefined ? task.empty : state;
    try {
      const [after, result] = task.step(before);
      changed ||= after !== before;
      // An empty cell is none at all, so that nothing stays of a document that everybody has left.
      state = after === task.empty ? undefined : after;
      return () => task.resolve(result);
    } catch (error) {
      return () => task.reject(error);
    }
  });
  return { state, changed, outcomes };
}
