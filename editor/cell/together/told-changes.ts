import type { ShownChange } from '../../../client/cell/cell-replica.ts';
import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { tellFiltered } from './filter-notice.ts';
import { OwnCells } from './own-cells.ts';
import { tellSheetIsGone } from './removed-notice.ts';
import { tellReplaced } from './replaced-notice.ts';

/** Tells what others change of that which this person sees or has just put in. */
export class ToldChanges {
  readonly #own = new OwnCells();
  readonly #putBack: (operations: readonly CellOperation[]) => void;

  /** @param putBack makes the changes by which somebody has their own cells back */
  constructor(putBack: (operations: readonly CellOperation[]) => void) {
    this.#putBack = putBack;
  }

  /** This person has made some operations, which have led to a workbook. */
  made(operations: readonly CellOperation[], after: Workbook): void {
    this.#own.made(operations, after);
  }

  /** Undo and redo put in other things than were typed. */
  forget(): void {
    this.#own.forget();
  }

  /**
   * Others have changed the workbook.
   * @param sheet the one that is shown
   */
  byOthers({ before, after, moves }: ShownChange, sheet: string, settings: FormatSettings): void {
    tellFiltered(before, after, sheet);
    tellSheetIsGone(before, after, sheet);
    const replaced = this.#own.changedByOthers(after, moves);
    tellReplaced(replaced, after, settings, () => this.#putBack(this.#own.puttingBack()));
  }
}
