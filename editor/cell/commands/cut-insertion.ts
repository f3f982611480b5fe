import { type Area, type Axis, lastColumn, lastRow, moved } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import type { Copied } from '../clipboard/copied.ts';
import { type CellPosition, cornerOf } from '../grid/cell-areas.ts';
import { selectRange } from '../grid/selection.ts';
import { spanIn } from './structure.ts';
import { refusesTearing } from './torn-arrays.ts';

/** How cells that were cut come between others, and where they are then. */
export interface CutInsertion {
  readonly operations: readonly CellOperation[];
  readonly area: Area;
}

/** Why cells cannot come somewhere: some of them stand where others make room, there is no room, or they are there. */
type NoInsertion = 'torn' | 'no-room' | 'stays';

/**
 * Cells of a sheet come before a cell of it: those behind that make room along an axis, and those behind the gap close it.
 */
export function cutInsertion(
  sheet: string,
  cut: Area,
  { row, column }: CellPosition,
  axis: Axis,
): CutInsertion | NoInsertion {
  const [from, to] = spanIn(cut, axis);
  const across = spanIn(cut, axis === 'row' ? 'column' : 'row');
  const [at, start] = axis === 'row' ? [row, column] : [column, row];
  const band = [start, start + across[1] - across[0]] as const;
  const isSameBand = band[0] === across[0];
  const isTorn = !isSameBand && band[0] <= across[1] && across[0] <= band[1];
  const stays = isSameBand && at >= from && at <= to + 1;
  if (isTorn) return 'torn';
  if (stays) return 'stays';
  if (band[1] > (axis === 'row' ? lastColumn : lastRow)) return 'no-room';
  const count = to - from + 1;
  const pushed = isSameBand && at <= from ? count : 0;
  const end = isSameBand && at > to ? at - count : at;
  const source = axis === 'row' ? moved(cut, pushed, 0) : moved(cut, 0, pushed);
  const place = axis === 'row' ? { row: at, column: start } : { row: start, column: at };
  return {
    operations: [
      { op: 'insert', sheet, axis, at, count, band },
      { op: 'moveCells', sheet, area: source, toSheet: sheet, ...place },
      { op: 'delete', sheet, axis, at: from + pushed, count, band: across },
    ],
    area: axis === 'row' ? [end, start, end + count - 1, band[1]] : [start, end, band[1], end + count - 1],
  };
}

/** Has cells that were cut come before a range, where they are selected then. @param axis null: as it comes of itself */
export function insertCut(
  editor: CellEditor,
  { sheet, areas }: Copied,
  range: Area,
  axis: Axis | null,
): void {
  const [cut, cell] = [areas[0]!, cornerOf(range)];
  const insertion = cutInsertion(sheet, cut, cell, axis ?? naturalAxis(cut, cell));
  if (insertion === 'stays' || refusesTearing(editor, sheet, cut)) return;
  if (typeof insertion === 'string') {
    const text = t(insertion === 'torn' ? 'sheet.cutTorn' : 'sheet.wouldFallOff');
    notify({ text, kind: 'warning', topic: 'sheet-refused' });
    return;
  }
  editor.clipboard.cellsMoved();
  if (editor.change(...insertion.operations))
    editor.select(selectRange(editor.page.view.peek(), insertion.area), { reveals: false });
}

/** The way in which others make room by themselves: to the right of or before what was cut in the same rows, else down. */
export const naturalAxis = (cut: Area, { row, column }: CellPosition): Axis =>
  row === cut[0] && column !== cut[1] ? 'column' : 'row';
