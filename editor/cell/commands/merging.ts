import { type Area, intersection } from '../../../model/cell/area.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { type CellPosition, heightOf, isOneCell, isSameRange, widthOf } from '../grid/cell-areas.ts';
import { offerUndo } from './offered-undo.ts';

/** Merges what is selected to one cell, or parts merged cells. What is lost by it is said, with a way back. */
export function toggleMerged(editor: CellEditor): boolean {
  const { range } = editor;
  const { sheet } = editor.page;
  const areas = [...itemsOf(sheet, 'merge').values()].map(({ area }) => area);
  if (areas.some((area) => isSameRange(area, range)) || isOneCell(range)) {
    return editor.change(...partedIn(sheet, range));
  }
  if (heightOf(range) * widthOf(range) > 1_000_000) return false;
  const { operations, isLossy } = mergeOf(sheet, range, editor.newId());
  const isDone = editor.change(...operations);
  if (isDone && isLossy) {
    offerUndo(editor, t('sheet.mergedFirst'), t('actions.undo'));
  }
  return isDone;
}

/** Parts the merged cells that a range meets. */
const partedIn = (sheet: Sheet, range: Area): CellOperation[] =>
  [...itemsOf(sheet, 'merge')]
    .filter(([, { area }]) => intersection(area, range))
    .map(([id]): CellOperation => ({ op: 'drop', sheet: sheet.id, kind: 'merge', id }));

/** How a range becomes one cell, which has what the first of its cells has that is not empty. */
export function mergeOf(
  sheet: Sheet,
  area: Area,
  id: string,
): { readonly operations: CellOperation[]; readonly isLossy: boolean } {
  const [first, ...others] = filledIn(sheet, area);
  const operations: CellOperation[] = [
    ...partedIn(sheet, area),
    ...(first ? movedToCorner(sheet.id, first, area) : []),
    ...clearedForMerge(sheet.id, area),
    { op: 'put', sheet: sheet.id, kind: 'merge', id, item: { area } },
    { op: 'format', sheet: sheet.id, areas: [area], patch: { align: { horizontal: 'center' } } },
  ];
  return { operations, isLossy: others.length > 0 };
}

/** The cells of a range that hold something, row by row. */
function filledIn({ grid }: Sheet, [top, left, bottom, right]: Area): CellPosition[] {
  return [...grid.rows(top, bottom)].flatMap(([row, { columns, cells }]) =>
    columns.flatMap((column, at) => {
      const { value, formula } = cells[at]!;
      const isFilled = column >= left && column <= right && (value !== null || formula !== null);
      return isFilled ? [{ row, column }] : [];
    }),
  );
}

function movedToCorner(sheet: string, { row, column }: CellPosition, range: Area): CellOperation[] {
  const [top, left] = range;
  if (row === top && column === left) return [];
  const area = [row, column, row, column] as const;
  return [{ op: 'moveCells', sheet, area, toSheet: sheet, row: top, column: left }];
}

/** Only the first of merged cells holds something. */
function clearedForMerge(sheet: string, [top, left, bottom, right]: Area): CellOperation[] {
  const areas: Area[] = [];
  if (right > left) areas.push([top, left + 1, top, right]);
  if (bottom > top) areas.push([top + 1, left, bottom, right]);
  return areas.length === 0 ? [] : [{ op: 'clear', sheet, areas: areas, part: 'content' }];
}
