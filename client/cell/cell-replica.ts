import { applyOperation } from '../../model/cell/change.ts';
import { readOperation } from '../../model/cell/operation-json.ts';
import type { CellOperation } from '../../model/cell/operations.ts';
import type { StructureMap } from '../../model/cell/structure-map.ts';
import { structureMapsOf } from '../../model/cell/structure-map.ts';
import type { Workbook } from '../../model/cell/workbook.ts';
import type { SkipReason } from '../../model/log/change.ts';
import { type ChangeName, sameName } from '../replica/change-names.ts';
import type {
  Dispatched,
  KindReplica,
  LoggedOperation,
  NamedOperation,
  ReplicaContext,
} from '../replica/kind-replica.ts';
import { EditHistory, type HistoryStep } from './edit-history.ts';
import { effectsOf } from './effects.ts';
import { inverseOf } from './inverse.ts';
import { Rebase } from './rebase.ts';
import { touchedIds } from './touched-ids.ts';

/**
 * What a user does at once: operations, each on the one before, or a step back or forth in what they did. What follows from their
 * last change (`continues`) is taken back with it.
 */
export type CellChange =
  | { readonly operations: readonly CellOperation[]; readonly continues?: true }
  | { readonly history: 'undo' | 'redo' };

export interface CellTypes {
  readonly document: Workbook;
  readonly operation: CellOperation;
  readonly change: CellChange;
}

/** How others have moved the cells that are shown: back through what is local, then forward through everything. */
export interface CellMoves {
  readonly back: readonly StructureMap[];
  readonly forward: readonly StructureMap[];
}

/** What is shown has changed: by the user, or because others did something. */
export interface ShownChange {
  readonly before: Workbook;
  readonly after: Workbook;
  readonly isLocal: boolean;
  /** Null where others have not moved any cells. */
  readonly moves: CellMoves | null;
}

export interface CellReplicaOptions extends Pick<ReplicaContext, 'nextName' | 'holderOf' | 'hasLocks'> {
  readonly document: Workbook;
  /** How many changes of the log its document has. */
  readonly version: number;
  /** When, and with which seed, an operation is made: see `VolatileState`. */
  readonly when: () => readonly [timeMs: number, seed: number];
  /** The region of this person: see `VolatileState`. */
  readonly region?: string | undefined;
  readonly onChange: (change: ShownChange) => void;
}

type Named = NamedOperation<CellTypes>;

interface Local extends Named {
  /** The workbook that it is made on. */
  readonly document: Workbook;
}

/** Moves of cells by this many changes of the log are kept. */
const keptMaps = 1_000;

/** A workbook as it is shown: the log up to a place with the user's operations on it, and what takes these back. */
export class CellReplica implements KindReplica<CellTypes> {
  /** Without the document that it begins with: nobody needs that any more once its cells are others. */
  readonly #options: Omit<CellReplicaOptions, 'document' | 'version'>;
  readonly #history = new EditHistory();
  /** The document of the log, which the local operations stand on. */
  #base: Workbook;
  #document: Workbook;
  #local: readonly Local[] = [];
  #refusal: SkipReason | null = null;
  #version: number;
  #maps: (readonly StructureMap[])[] = [];

  constructor({ document, version, ...options }: CellReplicaOptions) {
    this.#options = options;
    this.#base = document;
    this.#document = document;
    this.#version = version;
  }

  get document(): Workbook {
    return this.#document;
  }

  get local(): readonly Named[] {
    return this.#local;
  }

  /** How many changes of the log it shows. */
  get version(): number {
    return this.#version;
  }

  /** Why the last change was refused by the rules of the model; null where somebody held the sheet. */
  get refusal(): SkipReason | null {
    return this.#refusal;
  }

  get canUndo(): boolean {
    return this.#history.canUndo;
  }

  /** What the next step back or forth would do; null: there is none. */
  nextStep(which: 'undo' | 'redo'): HistoryStep | null {
    return this.#history.next(which);
  }

  get canRedo(): boolean {
    return this.#history.canRedo;
  }

  /** How the changes from a version on moved cells; null for a version that is too old or has not come yet. */
  mapsSince(version: number): readonly StructureMap[] | null {
    const start = this.#maps.length - (this.#version - version);
    return start < 0 || start > this.#maps.length ? null : this.#maps.slice(start).flat();
  }

  changesDocument(change: CellChange): boolean {
    return 'history' in change || change.operations.length > 0;
  }

  dispatch(change: CellChange): Dispatched<CellTypes> | null {
    this.#refusal = null;
    if (this.#isHeld(this.touched(change))) return null;
    return 'history' in change ? this.#step(change.history) : this.#make(change);
  }

  *touched(change: CellChange): Iterable<string> {
    const operations =
      'history' in change ? (this.#history.next(change.history)?.operations ?? []) : change.operations;
    for (const operation of operations) yield* touchedIds(operation);
  }

  add(operations: readonly Named[]): void {
    const before = this.#document;
    const made: Local[] = [];
    for (const { operation, name } of operations) this.#apply(operation, name, made);
    this.#local = [...this.#local, ...made];
    this.#changed(before, false);
  }

  rebase(
    over: readonly LoggedOperation<CellTypes>[],
    keep: (operation: Named) => boolean = () => true,
  ): void {
    const [shown, local] = [this.#document, this.#local];
    let others: LoggedOperation<CellTypes>[] = [];
    for (const logged of over) {
      const [first] = this.#local;
      if (logged.name && first && sameName(first.name, logged.name)) {
        // The first of the local operations was stored before this was known: it is what comes next in the log.
        this.#rebaseOver(others, () => true);
        others = [];
        const next = this.#local[0];
        if (next && sameName(next.name, logged.name)) this.acknowledge(1);
        else others.push(logged);
      } else others.push(logged);
    }
    this.#rebaseOver(others, keep);
    this.#changed(shown, false, movesBetween(local, over, this.#local));
  }

  acknowledge(count: number): void {
    for (const { operation } of this.#local.slice(0, count)) this.#note(operation);
    this.#local = this.#local.slice(count);
    this.#base = this.#local[0]?.document ?? this.#document;
  }

  #make({ operations, continues }: Exclude<CellChange, { history: unknown }>): Dispatched<CellTypes> | null {
    const shown = this.#document;
    const made: Local[] = [];
    for (const given of operations) {
      const operation = readOperation(this.#stamped(given));
      const reason = operation ? this.#apply(operation, null, made) : 'unknown-step';
      if (reason !== null) {
        this.#refusal = reason;
        this.#document = shown;
        return null;
      }
    }
    const inverse = inverseOf(made, this.#document);
    const dispatched = this.#dispatched(shown, made);
    if (inverse.length > 0) this.#history.made({ operations: inverse, of: namesOf(dispatched) }, continues);
    return dispatched;
  }

  #step(which: 'undo' | 'redo'): Dispatched<CellTypes> | null {
    const group = this.#history.next(which)?.operations ?? [];
    const shown = this.#document;
    const made: Local[] = [];
    for (const planned of group) this.#apply(this.#stamped(planned), null, made);
    const inverse = inverseOf(made, this.#document);
    const dispatched = this.#dispatched(shown, made);
    if (group.length > 0) this.#history.moved(which, { operations: inverse, of: namesOf(dispatched) });
    return dispatched;
  }

  #dispatched(before: Workbook, made: readonly Local[]): Dispatched<CellTypes> {
    this.#local = [...this.#local, ...made];
    this.#changed(before, true);
    return { made, touched: () => made.map(({ operation }) => [...touchedIds(operation)]) };
  }

  /** Comments are no reason to calculate anew, and who may only comment cannot cause it. */
  #stamped(operation: CellOperation): CellOperation {
    if ('kind' in operation && operation.kind === 'comment') return operation;
    const { when, region } = this.#options;
    const isFirst = this.#document.volatile.region === undefined && region !== undefined;
    return { ...operation, when: when(), ...(isFirst && { region }) };
  }

  /** @returns why it does not apply, or null: it is among those that were made */
  #apply(operation: CellOperation, name: ChangeName | null, made: Local[]): SkipReason | null {
    const document = this.#document;
    const after = applyOperation(document, operation);
    if (typeof after === 'string') return after;
    this.#document = after;
    made.push({ operation, name: name ?? this.#options.nextName(), document });
    return null;
  }

  #rebaseOver(over: readonly LoggedOperation<CellTypes>[], keep: (operation: Named) => boolean): void {
    const kept = this.#local.map(keep);
    if (over.length === 0 && kept.every((one) => one)) return;
    for (const { operation } of over) this.#log(operation);
    const before = this.#document;
    const rebase = new Rebase(
      over.flatMap(({ operation }) => effectsOf(operation)),
      this.#base,
    );
    const { made, document } = rebase.made(this.#local, (index) => kept[index]!);
    this.#history.rebase(rebase, before);
    this.#local = this.#local.flatMap(({ name }, at) => {
      const next = made[at];
      return next ? [{ ...next, name }] : [];
    });
    this.#document = document;
  }

  /** The next operation of the log. */
  #log(operation: CellOperation): void {
    const after = applyOperation(this.#base, operation);
    if (typeof after === 'string') throw new Error(`an operation of the log does not apply: ${after}`);
    this.#base = after;
    this.#note(operation);
  }

  #note(operation: CellOperation): void {
    this.#version += 1;
    this.#maps = [...this.#maps.slice(-keptMaps), structureMapsOf(operation)];
  }

  #isHeld(ids: Iterable<string>): boolean {
    if (!this.#options.hasLocks()) return false;
    for (const id of ids) if (this.#options.holderOf(id) !== null) return true;
    return false;
  }

  #changed(before: Workbook, isLocal: boolean, moves: CellMoves | null = null): void {
    if (before !== this.#document) this.#options.onChange({ before, after: this.#document, isLocal, moves });
  }
}

function movesBetween(
  before: readonly Named[],
  over: readonly LoggedOperation<CellTypes>[],
  after: readonly Named[],
): CellMoves | null {
  const mapsOf = (made: readonly Pick<Named, 'operation'>[]) =>
    made.flatMap(({ operation }) => structureMapsOf(operation));
  const others = over.filter(({ name }) => !name || !before.some((own) => sameName(own.name, name)));
  if (mapsOf(others).length === 0) return null;
  return { back: mapsOf(before).reverse(), forward: mapsOf([...over, ...after]) };
}

const namesOf = ({ made }: Dispatched<CellTypes>): readonly ChangeName[] => made.map(({ name }) => name);
