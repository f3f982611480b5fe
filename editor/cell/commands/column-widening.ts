import { type FormatSettings, fittingNumber, shownValue } from '../../../model/cell/formats/shown-value.ts';
import type { CellInput, CellOperation, SetBlock, SetCells } from '../../../model/cell/operations.ts';
import { isLeftOpen } from '../../../model/cell/protection.ts';
import type { CellEditor } from '../cell-editor.ts';
import type { CellPosition } from '../grid/cell-areas.ts';
import type { DrawnSheet } from '../grid/drawn-sheet.ts';
import { type FontMeasures, neededWidth } from '../grid/text-painter.ts';
import { columnChars } from '../shown/sheet-axes.ts';

/** A number that a cell gets, with the number format that the cell has then. */
export interface EnteredNumber extends CellPosition {
  readonly value: number;
  readonly pattern: string;
  /** A formula comes to it: of a general number fewer digits may be seen. */
  readonly isResult?: boolean;
}

/** So many numbers are looked at. */
export const mostMeasured = 2_000;

/**
 * Columns that are too narrow for numbers, by the width in pixels that these need at a zoom of 1. Text may reach over its
 * cell, a number may not.
 * @param isFixed whether somebody has given a column its width
 */
export function narrowColumns(
  sheet: Pick<DrawnSheet, 'cellAt' | 'mergeAt' | 'columns' | 'zoom'>,
  numbers: readonly EnteredNumber[],
  {
    isFixed,
    measures,
    settings,
  }: {
    readonly isFixed: (column: number) => boolean;
    readonly measures: FontMeasures;
    readonly settings: FormatSettings;
  },
): ReadonlyMap<number, number> {
  const widths = new Map<number, number>();
  for (const { row, column, value, pattern, isResult } of numbers.slice(0, mostMeasured)) {
    const now = sheet.cellAt(row, column);
    if (!now || isFixed(column) || sheet.mergeAt(row, column)) continue;
    const { look } = now;
    if (look.wrap || look.shrink || look.rotation !== 0) continue;
    const { text, general } = shownValue(value, pattern, settings);
    const neededFor = (shown: string) =>
      neededWidth({ ...now, kind: 'number', text: shown, runs: null }, 1, measures);
    const needed = neededFor(text);
    const width = widths.get(column) ?? sheet.columns.sizeOf(column) / sheet.zoom;
    const isSeen = (shown: string) => neededFor(shown) <= width;
    if (isResult && general !== null && fittingNumber(general, isSeen, settings) !== null) continue;
    if (width > 0 && needed > width) widths.set(column, Math.ceil(needed) + 1);
  }
  return widths;
}

/** Makes columns of the sheet that is shown wide enough for numbers that its cells get, unless somebody has chosen their width. */
export function widening(editor: CellEditor, numbers: readonly EnteredNumber[]): CellOperation[] {
  const view = editor.page.view.peek();
  const sheet = editor.page.sheetId.peek();
  const narrow = narrowColumns(
    {
      cellAt: (row, column) => view.cellAt(row, column) ?? view.plain,
      mergeAt: (row, column) => view.mergeAt(row, column),
      columns: view.columns,
      zoom: view.zoom,
    },
    numbers,
    {
      isFixed: (column) => view.sheet.columns.at(column).custom === true,
      measures: editor.page.measures,
      settings: editor.page.settings,
    },
  );
  const operations = [...narrow].map(([column, pixels]): CellOperation => {
    const patch = { size: columnChars(pixels, editor.page.digitPx) };
    return { op: 'lines', sheet, axis: 'column', spans: [[column, column]], patch };
  });
  // What a protection does not leave to people would have the number refused as well.
  return operations.filter((operation) => isLeftOpen(editor.page.workbook.peek(), operation));
}

/** Makes columns wide enough for what formulas that were entered come to; that is taken back with the entry. */
export function widenForResults(editor: CellEditor, sheet: string, cells: readonly CellPosition[]): void {
  if (!editor.canEdit || editor.page.sheetId.peek() !== sheet || editor.session.shown.canRedo) return;
  const numbers = cells.slice(0, mostMeasured).flatMap((cell) => {
    const value = editor.page.valueAt(cell);
    const pattern = editor.page.formatAt(cell).number ?? 'General';
    return typeof value === 'number' ? [{ ...cell, value, pattern, isResult: true }] : [];
  });
  const operations = widening(editor, numbers);
  if (operations.length > 0) editor.session.dispatch({ operations, continues: true });
}

/** The numbers that an operation puts into cells of the sheet that is shown; of more than are looked at the first. */
export function numbersIn(editor: CellEditor, operation: CellOperation): EnteredNumber[] {
  if (operation.op !== 'set' && operation.op !== 'block') return [];
  const numbers: EnteredNumber[] = [];
  for (const [row, column, { v, f, s }] of inputsOf(operation)) {
    if (typeof v !== 'number') continue;
    const format = s === undefined ? editor.page.formatAt({ row, column }) : operation.formats?.[s];
    const pattern = format?.number ?? 'General';
    numbers.push({ row, column, value: v, pattern, ...(f !== undefined && { isResult: true }) });
    if (numbers.length >= mostMeasured) break;
  }
  return numbers;
}

/** What each cell gets. */
function* inputsOf(operation: SetCells | SetBlock): Iterable<readonly [number, number, CellInput]> {
  if (operation.op === 'set') yield* operation.cells;
  else
    for (const [down, inputs] of operation.rows.entries())
      for (const [right, input] of inputs.entries())
        if (input !== null)
          yield [
            operation.row + down,
            operation.column + right,
            typeof input === 'object' ? input : { v: input },
          ];
}
