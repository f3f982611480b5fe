import type { Axis } from '../../../model/cell/area.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import { isWholeColumns, isWholeRows } from '../grid/cell-areas.ts';

/** A row or column before which a page may begin. */
interface BreakLine {
  readonly axis: Axis;
  readonly line: number;
}

/** The break before a row or column, by its id. */
function breakAt(sheet: Sheet, { axis, line }: BreakLine): string | undefined {
  const isThere = ({ axis: own, cell }: ItemOf<'pageBreak'>) =>
    own === axis && cell[axis === 'row' ? 0 : 1] === line;
  return [...itemsOf(sheet, 'pageBreak')].find(([, item]) => isThere(item))?.[0];
}

/** Where pages begin by what is selected: before its first row and its first column, of whole rows or columns before these alone. */
function linesAtSelection({ range }: CellEditor): BreakLine[] {
  const lines: BreakLine[] = [];
  if (range[0] > 0 && !isWholeColumns(range)) lines.push({ axis: 'row', line: range[0] });
  if (range[1] > 0 && !isWholeRows(range)) lines.push({ axis: 'column', line: range[1] });
  return lines;
}

/** Whether pages begin wherever they can by what is selected. */
export function breaksHere(editor: CellEditor): boolean {
  const lines = linesAtSelection(editor);
  return lines.length > 0 && lines.every((line) => breakAt(editor.page.sheet, line) !== undefined);
}

export const canBreakHere = (editor: CellEditor): boolean => linesAtSelection(editor).length > 0;

/** Has pages begin where something is selected, or no more where they all do. */
export function toggleBreaks(editor: CellEditor): boolean {
  const { sheet } = editor.page;
  const place = { sheet: sheet.id, kind: 'pageBreak' as const };
  const removes = breaksHere(editor);
  const operations = linesAtSelection(editor).flatMap(({ axis, line }): CellOperation[] => {
    const id = breakAt(sheet, { axis, line });
    if (removes) return id === undefined ? [] : [{ op: 'drop', ...place, id }];
    const item: ItemOf<'pageBreak'> = { axis, cell: axis === 'row' ? [line, 0] : [0, line] };
    return id === undefined ? [{ op: 'put', ...place, id: editor.newId(), item }] : [];
  });
  return editor.change(...operations);
}

export const hasBreaks = (editor: CellEditor): boolean => itemsOf(editor.page.sheet, 'pageBreak').size > 0;

/** Takes all page breaks of the sheet away. */
export const removeBreaks = (editor: CellEditor): boolean =>
  editor.change(
    ...[...itemsOf(editor.page.sheet, 'pageBreak').keys()].map(
      (id): CellOperation => ({ op: 'drop', sheet: editor.page.sheetId.peek(), kind: 'pageBreak', id }),
    ),
  );
