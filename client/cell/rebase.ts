import { applyOperation } from '../../model/cell/change.ts';
import { type CellOperation, commonOf } from '../../model/cell/operations.ts';
import type { Workbook } from '../../model/cell/workbook.ts';
import { CellMapping } from './cell-mapping.ts';
import type { Effect } from './effects.ts';
import type { SheetNames } from './formula-mapping.ts';
import { rebaseOperation } from './rebase-operation.ts';

/** An operation, and the workbook that it was made on. */
export interface MadeOn {
  readonly operation: CellOperation;
  readonly document: Workbook;
}

/** What became of operations. */
export interface Rebased {
  /** Null where its place is gone. */
  readonly made: readonly (MadeOn | null)[];
  /** The document after all that apply. */
  readonly document: Workbook;
}

/**
 * Rebases operations, each on the one before, over what others have done to the document that the first was made on; and
 * then whole queues of operations that would go on from there.
 */
export class Rebase {
  readonly #mapping: CellMapping;
  readonly #others: readonly Effect[];
  #document: Workbook;

  /** @param after the document that others have made */
  constructor(others: readonly Effect[], after: Workbook) {
    this.#mapping = new CellMapping(others);
    this.#others = others;
    this.#document = after;
  }

  /** @param isKept false for one that is taken back: the others go on without it */
  made(own: readonly MadeOn[], isKept: (index: number) => boolean = () => true): Rebased {
    const made = own.map(({ operation, document: before }, index): MadeOn | null => {
      const document = this.#document;
      let next: CellOperation | null = null;
      this.#rebase(operation, { before, after: document }, this.#mapping, (whole) => {
        const applied = isKept(index) && whole ? applyOperation(document, whole) : 'out-of-range';
        if (typeof applied === 'string') return false;
        next = whole;
        this.#document = applied;
        return true;
      });
      return next && { operation: next, document };
    });
    return { made, document: this.#document };
  }

  /**
   * Operations that may be made later, each on the one before.
   * @param before the document after the own operations as they were
   */
  planned(queue: readonly CellOperation[], before: Workbook): readonly (CellOperation | null)[] {
    const mapping = this.#mapping.fork();
    const names = { before, after: this.#document };
    return queue.map((operation) => {
      let next: CellOperation | null = null;
      this.#rebase(operation, names, mapping, (whole) => {
        next = whole;
        return whole !== null;
      });
      return next;
    });
  }

  /**
   * Each part of an operation is followed by itself, on what the parts before it have become.
   * @param take is given what the operation becomes, and says whether it is made
   */
  #rebase(
    operation: CellOperation,
    names: SheetNames,
    mapping: CellMapping,
    take: (whole: CellOperation | null) => boolean,
  ): void {
    const parts = operation.op === 'several' ? operation.operations : [operation];
    const within = parts.length > 1 ? mapping.fork() : mapping;
    const next = parts.map((part) => {
      const become = rebaseOperation(part, { mapping: within, others: this.#others, names });
      if (parts.length > 1) within.push(part, become);
      return become;
    });
    const isSame = next.every((become, at) => become.length === 1 && become[0] === parts[at]);
    const isTaken = take(isSame ? operation : oneOf(operation, next.flat()));
    for (const [at, part] of parts.entries()) mapping.push(part, isTaken ? next[at]! : []);
  }
}

/** A change stays one, into whatever parts it fell. */
function oneOf(operation: CellOperation, parts: readonly CellOperation[]): CellOperation | null {
  if (parts.length < 2) return parts[0] ?? null;
  const operations = parts.flatMap((part) => (part.op === 'several' ? part.operations : [part]));
  return { op: 'several', operations, ...commonOf(operation) };
}
