import type { ShownChange } from '../../../client/cell/cell-replica.ts';
import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { laterPart } from '../../kit/later.tsx';
import type { OwnCells } from './own-cells.ts';

/** What is said of others' changes comes behind the first look at a page. */
const notices = laterPart(() => import('./others-changes.ts'));

type Notices = typeof import('./others-changes.ts');

/** Tells what others change of that which this person sees or has just put in: in the order in which it is told of changes. */
export class ToldChanges {
  #own: OwnCells | null = null;
  readonly #putBack: (operations: readonly CellOperation[]) => void;

  /** @param putBack makes the changes by which somebody has their own cells back */
  constructor(putBack: (operations: readonly CellOperation[]) => void) {
    this.#putBack = putBack;
  }

  /** This person has made some operations, which have led to a workbook. */
  made(operations: readonly CellOperation[], after: Workbook): void {
    this.#later((own) => own.made(operations, after));
  }

  /** Undo and redo put in other things than were typed. */
  forget(): void {
    this.#later((own) => own.forget());
  }

  /**
   * Others have changed the workbook.
   * @param sheet the one that is shown
   */
  byOthers(change: ShownChange, sheet: string, settings: FormatSettings): void {
    this.#later(
      (own, part) => {
        const putBack = () => this.#putBack(own.puttingBack());
        part.tellOthersChanges(change, sheet, settings, own.changedByOthers(change), putBack);
      },
      () => void notices.loadOrTell(),
    );
  }

  /** One after the other, also those that come before the code is there. */
  #later(deed: (own: OwnCells, part: Notices) => void, failed: () => void = () => undefined): void {
    void notices.load().then((part) => {
      this.#own ??= new part.OwnCells();
      deed(this.#own, part);
    }, failed);
  }
}
