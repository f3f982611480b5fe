import type { ShownChange } from '../../../client/cell/cell-replica.ts';
import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { laterPart } from '../../kit/later.tsx';
import { OwnCells } from './own-cells.ts';

/** What is said of others' changes comes behind the first look at a page. */
const notices = laterPart(() => import('./others-changes.ts'));

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
  byOthers(change: ShownChange, sheet: string, settings: FormatSettings): void {
    const replaced = this.#own.changedByOthers(change);
    const putBack = () => this.#putBack(this.#own.puttingBack());
    void notices
      .loadOrTell()
      .then((part) => part?.tellOthersChanges(change, sheet, settings, replaced, putBack));
  }
}
