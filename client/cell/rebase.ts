import { applyOperation } from '../../model/cell/change.ts';
import type { CellOperation } from '../../model/cell/operations.ts';
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
      const names = { before, after: document };
      const next = isKept(index) ? this.#next(operation, names, this.#mapping) : null;
      const applied = next ? applyOperation(document, next) : 'out-of-range';
      const isApplied = typeof applied !== 'string';
      this.#mapping.push(operation, isApplied ? [next!] : []);
      if (isApplied) this.#document = applied;
      return isApplied ? { operation: next!, document } : null;
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
      const next = this.#next(operation, names, mapping);
      mapping.push(operation, next ? [next] : []);
      return next;
    });
  }

  #next(operation: CellOperation, names: SheetNames, mapping: CellMapping): CellOperation | null {
    return oneOf(operation, rebaseOperation(operation, { mapping, others: this.#others, names }));
  }
}

/** A change stays one, into whatever parts it fell. */
function oneOf({ when, undo }: CellOperation, parts: readonly CellOperation[]): CellOperation | null {
  if (parts.length < 2) return parts[0] ?? null;
  const operations = parts.flatMap((part) => (part.op === 'several' ? part.operations : [part]));
  return { op: 'several', operations, ...(when ? { when } : {}), ...(undo ? { undo } : {}) };
}
