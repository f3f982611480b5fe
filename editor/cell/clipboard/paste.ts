import type { CellFormat } from '../../../model/cell/cell-format.ts';
import { Formula } from '../../../model/cell/formula/formula.ts';
import type { BlockInput, CellInput, CellOperation } from '../../../model/cell/operations.ts';
import { inputOf } from '../commands/cell-input.ts';
import type { FormatSettings } from '../formats/shown-value.ts';
import { type CellRange, heightOf, isOneCell, lastColumn, lastRow, widthOf } from '../grid/cell-range.ts';
import { areaOfRange } from '../shown/sheet-view.ts';
import { type CellTable, type TableCell, widthOfTable } from './cell-table.ts';

/** What of copied cells is pasted. */
export type PastedPart = 'all' | 'values' | 'formulas' | 'formats';

export interface Pasting {
  readonly sheet: string;
  readonly table: CellTable;
  /** What is selected. */
  readonly target: CellRange;
  readonly part: PastedPart;
  readonly settings: FormatSettings;
  /** The format that a cell has. */
  readonly formatAt: (row: number, column: number) => CellFormat;
  readonly newId: () => string;
  /** The merged cells that are in the way, by their ids. */
  readonly mergesIn: (range: CellRange) => readonly string[];
}

/** As many cells as are pasted at once. */
export const mostPasted = 1_000_000;

/** The cells that a table comes to: as often as it fits into what is selected, or once. */
export function pastedRange(table: CellTable, target: CellRange): CellRange {
  const height = table.rows.length;
  const width = widthOfTable(table);
  const { top, left } = target;
  const isMultiple = heightOf(target) % height === 0 && widthOf(target) % width === 0;
  const isWhole = heightOf(target) > lastRow || widthOf(target) > lastColumn;
  const repeats = isMultiple && !isOneCell(target) && !isWhole;
  return {
    top,
    left,
    bottom: Math.min(lastRow, repeats ? target.bottom : top + height - 1),
    right: Math.min(lastColumn, repeats ? target.right : left + width - 1),
  };
}

/** The operations by which a table is pasted. */
export function pasteOperations(pasting: Pasting): CellOperation[] {
  const { sheet, table, target, part } = pasting;
  const range = pastedRange(table, target);
  const height = table.rows.length;
  const width = widthOfTable(table);
  const formats: CellFormat[] = [];
  const places = new Map<CellFormat, number>();
  const rows: BlockInput[][] = [];
  for (let row = range.top; row <= range.bottom; row++) {
    const inputs: BlockInput[] = [];
    for (let column = range.left; column <= range.right; column++) {
      const from = { row: (row - range.top) % height, column: (column - range.left) % width };
      const cell = table.rows[from.row]?.[from.column] ?? { text: '' };
      const origin = table.origin && {
        rows: row - (table.origin.row + from.row),
        columns: column - (table.origin.column + from.column),
      };
      const { input, format } = cellInput(
        cell,
        part,
        pasting.formatAt(row, column),
        pasting.settings,
        origin,
      );
      let place: number | undefined;
      if (format) {
        place = places.get(format);
        if (place === undefined) {
          place = formats.length;
          formats.push(format);
          places.set(format, place);
        }
      }
      inputs.push(place === undefined ? input : { ...input, s: place });
    }
    rows.push(inputs);
  }
  const block: CellOperation = {
    op: 'block',
    sheet,
    row: range.top,
    column: range.left,
    rows,
    ...(formats.length > 0 && { formats }),
  };
  if (part !== 'all') return [block];
  const drops = pasting
    .mergesIn(range)
    .map((id): CellOperation => ({ op: 'drop', sheet, kind: 'merge', id }));
  return [...drops, block, ...mergesOf(pasting, range, height, width)];
}

function* mergesOf(
  { sheet, table, newId }: Pasting,
  { top, left, bottom, right }: CellRange,
  height: number,
  width: number,
): Iterable<CellOperation> {
  if (table.merges.length === 0) return;
  for (let row = top; row <= bottom; row += height) {
    for (let column = left; column <= right; column += width) {
      for (const merge of table.merges) {
        const area = areaOfRange({
          top: row + merge.top,
          left: column + merge.left,
          bottom: row + merge.bottom,
          right: column + merge.right,
        });
        if (area[2] <= lastRow && area[3] <= lastColumn) {
          yield { op: 'put', sheet, kind: 'merge', id: newId(), item: { area } };
        }
      }
    }
  }
}

/** What one cell gets of one that is pasted. `by`: how far a formula has come. */
function cellInput(
  cell: TableCell,
  part: PastedPart,
  format: CellFormat,
  settings: FormatSettings,
  by: { readonly rows: number; readonly columns: number } | undefined,
): { input: CellInput; format: CellFormat | null } {
  if (part === 'formats') return { input: {}, format: cell.format ?? null };
  if (cell.value === undefined && !cell.formula) {
    const read = inputOf(cell.text, { format: cell.format ?? format }, settings);
    const pasted = part === 'all' ? { ...format, ...cell.format } : null;
    return { input: read.input, format: read.format ?? (cell.format ? pasted : null) };
  }
  const own = part === 'all' ? (cell.format ?? null) : null;
  if (cell.formula && part !== 'values' && by) {
    const formula = Formula.copied(cell.formula, by.rows, by.columns).toJSON();
    return { input: { f: formula, v: cell.value ?? null }, format: own };
  }
  return { input: { v: cell.value ?? null }, format: own };
}
