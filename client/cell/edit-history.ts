import type { CellOperation } from '../../model/cell/operations.ts';
import type { Workbook } from '../../model/cell/workbook.ts';
import type { ChangeName } from '../replica/change-names.ts';
import type { Rebase } from './rebase.ts';

/** How many changes of the user can be taken back. */
const keptChanges = 200;

/** What takes back, or makes again, one change of the user. */
export interface HistoryStep {
  /** Each on the one before. */
  readonly operations: readonly CellOperation[];
  /** The changes of the log that it takes back. */
  readonly of: readonly ChangeName[];
}

/**
 * What takes back the user's own changes, the last one first: each group stands on the document as the one before it leaves
 * it. So both lists are operations that may come next, and are rebased over what others do as if they were made already.
 */
export class EditHistory {
  #undo: readonly HistoryStep[] = [];
  #redo: readonly HistoryStep[] = [];

  get canUndo(): boolean {
    return this.#undo.length > 0;
  }

  get canRedo(): boolean {
    return this.#redo.length > 0;
  }

  /**
   * A change was made, which these operations take back.
   * @param continues it is taken back with the change before it, at once
   */
  made(inverse: HistoryStep, continues = false): void {
    const [last, ...rest] = this.#undo;
    const joined = { operations: [...inverse.operations, ...(last?.operations ?? [])] };
    this.#undo =
      continues && last
        ? [{ ...joined, of: [...last.of, ...inverse.of] }, ...rest]
        : [inverse, ...this.#undo.slice(0, keptChanges - 1)];
    this.#redo = [];
  }

  /** The operations that take back the last change, or make it again; null: there is none. */
  next(which: 'undo' | 'redo'): HistoryStep | null {
    return (which === 'undo' ? this.#undo : this.#redo)[0] ?? null;
  }

  /** Those operations were made, and these ones take them back. */
  moved(which: 'undo' | 'redo', inverse: HistoryStep): void {
    if (which === 'undo') {
      this.#undo = this.#undo.slice(1);
      this.#redo = [inverse, ...this.#redo];
    } else {
      this.#redo = this.#redo.slice(1);
      this.#undo = [inverse, ...this.#undo];
    }
  }

  /** @param before the document that both lists stand on */
  rebase(rebase: Rebase, before: Workbook): void {
    this.#undo = rebased(this.#undo, rebase, before);
    this.#redo = rebased(this.#redo, rebase, before);
  }
}

/** Steps of which nothing is left are left out. */
function rebased(steps: readonly HistoryStep[], rebase: Rebase, before: Workbook): readonly HistoryStep[] {
  const queue = steps.flatMap(({ operations }) => operations);
  if (queue.length === 0) return steps;
  const next = rebase.planned(queue, before);
  if (next.every((one, at) => one === queue[at])) return steps;
  let at = 0;
  return steps.flatMap(({ operations, of }) => {
    const left = next.slice(at, at + operations.length).filter((one) => one !== null);
    at += operations.length;
    return left.length > 0 ? [{ operations: left, of }] : [];
  });
}
