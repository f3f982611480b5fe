import type { Signal } from '@preact/signals';
import type { Sheet } from '../../../model/cell/workbook.ts';
import type { Editing } from '../editing/cell-editing.ts';
import { cornerOf, isSameCell, isSameRange, isWholeColumns, isWholeRows } from '../grid/cell-areas.ts';
import { anchorOf, type Selection, type Terrain, withMerges } from '../grid/selection.ts';

/** What is selected where cells may have been merged since: of those that it has a part of it has all. Whole rows and columns stay so. */
export function withAllMerges(sheet: Terrain, selection: Selection): Selection {
  const { active, head } = selection;
  const ranges = selection.ranges.map((range) =>
    isWholeRows(range) || isWholeColumns(range) ? range : withMerges(sheet, range),
  );
  const isSame =
    isSameCell(anchorOf(sheet, active), active) &&
    ranges.every((range, at) => isSameRange(range, selection.ranges[at]!));
  return isSame
    ? selection
    : { ...selection, ranges, active: anchorOf(sheet, active), head: anchorOf(sheet, head) };
}

/** What is selected and typed on the sheet that is shown. */
interface Shown {
  readonly shown: { readonly sheet: Sheet; readonly terrain: Terrain; readonly selection: Selection };
  readonly selection: Signal<Selection>;
  readonly editing: Signal<Editing | null>;
}

/** Cells of the sheet that is shown have been merged or parted. @param tellLost says that what is typed into one of them has no cell any more */
export function followMerges(editor: Shown, tellLost: (text: string) => void): void {
  const { sheet, terrain, selection } = editor.shown;
  editor.selection.value = withAllMerges(terrain, selection);
  const editing = editor.editing.peek();
  const merge = editing?.sheet === sheet.id ? terrain.mergeAt(editing.cell.row, editing.cell.column) : null;
  if (!editing || !merge || isSameCell(cornerOf(merge), editing.cell)) return;
  editor.editing.value = null;
  tellLost(editing.text);
}
