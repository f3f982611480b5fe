import type { ShownChange } from '../../../client/cell/cell-replica.ts';
import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import { tellFiltered } from './filter-notice.ts';
import { type OwnCell, OwnCells } from './own-cells.ts';
import { tellSheetIsGone } from './removed-notice.ts';
import { tellReplaced } from './replaced-notice.ts';

export { OwnCells };

/** Says what others have changed of the sheet that is shown, and of what this person had put in. */
export function tellOthersChanges(
  { before, after }: ShownChange,
  sheet: string,
  settings: FormatSettings,
  replaced: readonly OwnCell[],
  putBack: () => void,
): void {
  tellFiltered(before, after, sheet);
  tellSheetIsGone(before, after, sheet);
  tellReplaced(replaced, after, settings, putBack);
}
