import { type Area, type Axis, lastColumn, lastRow, moved } from '../../../model/cell/area.ts';
import type { Cell } from '../../../model/cell/cell.ts';
import type { CellFormat } from '../../../model/cell/cell-format.ts';
import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import { Formula } from '../../../model/cell/formula/formula.ts';
import { transposedFormula } from '../../../model/cell/formula/transposing.ts';
import { inParts } from '../../../model/cell/operation-parts.ts';
import type { BlockInput, CellInput, CellOperation } from '../../../model/cell/operations.ts';
import { inputOf } from '../commands/cell-input.ts';
import { FormatList } from '../commands/format-list.ts';
import {
  type CellPosition,
  heightOf,
  isOneCell,
  isWholeColumns,
  isWholeRows,
  widthOf,
} from '../grid/cell-areas.ts';
import {
  type CellTable,
  isBlankCell,
  type LineSize,
  type TableCell,
  type TableOrigin,
  transposed,
  widthOfTable,
} from './cell-table.ts';
import { combined } from './paste-arithmetic.ts';
import { type PastedPart, type PasteOptions, plainPaste } from './paste-options.ts';

export interface Pasting {
  readonly sheet: string;
  readonly table: CellTable;
  /** What is selected. */
  readonly target: Area;
  /** As far as the sheet is used; null where nothing is. */
  readonly used: Area | null;
  readonly options: PasteOptions;
  readonly settings: FormatSettings;
  /** What a cell holds. */
  readonly contentAt: (row: number, column: number) => Pick<Cell, 'value' | 'formula'>;
  /** The format that a cell has. */
  readonly formatAt: (row: number, column: number) => CellFormat;
  readonly newId: () => string;
  /** Whether a cell is one of merged cells, and not the first of them. */
  readonly isCovered: (row: number, column: number) => boolean;
  /** The merged cells that are in the way, by their ids. */
  readonly mergesIn: (range: Area) => readonly string[];
}

/**
 * The cells that a table comes to: as often as it fits into what is selected, or once. Whole columns are filled with one row as far
 * down as the sheet is used, and whole rows with one column.
 */
export function pastedRange(
  table: CellTable,
  target: Area,
  { part, isTransposed }: Pick<PasteOptions, 'part' | 'isTransposed'> = plainPaste,
  used: Area | null = null,
): Area {
  const size = [table.rows.length, widthOfTable(table)] as const;
  const [height, width] = isTransposed && part !== 'widths' ? [size[1], size[0]] : size;
  const [top, left] = target;
  const [down, across] = [isWholeColumns(target), isWholeRows(target)];
  const { origin } = table;
  const isOnce =
    (down && (height > 1 || origin?.hasWholeColumns)) || (across && (width > 1 || origin?.heights));
  const bottom = down ? Math.max(top, used?.[2] ?? 0) : target[2];
  const right = across ? Math.max(left, used?.[3] ?? 0) : target[3];
  const isMultiple = (bottom - top + 1) % height === 0 && (right - left + 1) % width === 0;
  const repeats = isMultiple && !isOnce && !isOneCell(target);
  return [
    top,
    left,
    Math.min(lastRow, repeats ? bottom : top + height - 1),
    Math.min(lastColumn, repeats ? right : left + width - 1),
  ];
}

/** Whether the sheet ends before all of a table is pasted into a range of it. */
export function fallsOff(table: CellTable, range: Area, { part, isTransposed }: PasteOptions): boolean {
  if (part === 'widths') return false;
  const size = [table.rows.length, widthOfTable(table)] as const;
  const [height, width] = isTransposed ? [size[1], size[0]] : size;
  return height > heightOf(range) || width > widthOf(range);
}

/** The operations by which a table is pasted; none where it has nothing of what is asked for. */
export function pasteOperations(pasting: Pasting): CellOperation[] {
  const { sheet, target, options } = pasting;
  const range = pastedRange(pasting.table, target, options, pasting.used);
  if (options.part === 'widths') return [...widthsOf(sheet, range, pasting.table.origin)];
  const table = options.isTransposed ? transposed(pasting.table) : pasting.table;
  const height = table.rows.length;
  const width = widthOfTable(table);
  const formats = new FormatList();
  const rows: BlockInput[][] = [];
  for (let row = range[0]; row <= range[2]; row++) {
    const inputs: BlockInput[] = [];
    for (let column = range[1]; column <= range[3]; column++) {
      const from = { row: (row - range[0]) % height, column: (column - range[1]) % width };
      const { input, format } = cellInput(pasting, table, from, { row, column });
      inputs.push(format ? { ...input, s: formats.placeOf(format) } : input);
    }
    rows.push(inputs);
  }
  const block: CellOperation = {
    op: 'block',
    sheet,
    row: range[0],
    column: range[1],
    rows,
    ...(formats.all.length > 0 && { formats: formats.all }),
  };
  if (!partsMerged(options)) return [block];
  const parted = isAlone(pasting.table) ? [] : pasting.mergesIn(range);
  const drops = parted.map((id): CellOperation => ({ op: 'drop', sheet, kind: 'merge', id }));
  return [
    ...drops,
    block,
    ...mergesOf(pasting, table, range, height, width),
    ...(options.isTransposed ? [] : sizesOf(sheet, range, table.origin)),
  ];
}

/** Whether merged cells that are in the way are parted, and those of the table come along. */
const partsMerged = ({ part }: PasteOptions): boolean => part === 'all' || part === 'allButBorders';

/** Whether a cell is pasted alone: it parts no merged cells, and the first of them gets it. */
const isAlone = ({ rows, merges }: CellTable): boolean =>
  rows.length === 1 && rows[0]!.length === 1 && merges.length === 0;

/** Whole rows and columns take their sizes along where they come to be whole ones. */
function* sizesOf(sheet: string, range: Area, origin: TableOrigin | undefined): Iterable<CellOperation> {
  if (origin?.hasWholeColumns && range[0] === 0) yield* widthsOf(sheet, range, origin);
  if (origin?.heights && range[1] === 0) yield* linesOf(sheet, 'row', [range[0], range[2]], origin.heights);
}

function* widthsOf(
  sheet: string,
  [, left, , right]: Area,
  origin: TableOrigin | undefined,
): Iterable<CellOperation> {
  if (origin) yield* linesOf(sheet, 'column', [left, right], origin.widths);
}

/** Gives lines the sizes of others, over and over. */
function* linesOf(
  sheet: string,
  axis: Axis,
  [from, to]: readonly [number, number],
  sizes: readonly LineSize[],
): Iterable<CellOperation> {
  const spans = new Map<string, { readonly of: LineSize; readonly all: [number, number][] }>();
  for (let line = from; line <= to; line++) {
    const of = sizes[(line - from) % sizes.length]!;
    const key = `${of.size} ${of.custom}`;
    const known = spans.get(key) ?? { of, all: [] };
    spans.set(key, known);
    const last = known.all.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else known.all.push([line, line]);
  }
  for (const { of, all } of spans.values()) {
    const patch = { size: of.size ?? null, custom: of.custom ?? null };
    for (const part of inParts(all)) yield { op: 'lines', sheet, axis, spans: part, patch };
  }
}

function* mergesOf(
  { sheet, newId }: Pasting,
  table: CellTable,
  [top, left, bottom, right]: Area,
  height: number,
  width: number,
): Iterable<CellOperation> {
  if (table.merges.length === 0) return;
  for (let row = top; row <= bottom; row += height) {
    for (let column = left; column <= right; column += width) {
      for (const merge of table.merges) {
        const area = moved(merge, row, column);
        if (area[2] <= lastRow && area[3] <= lastColumn) {
          yield { op: 'put', sheet, kind: 'merge', id: newId(), item: { area } };
        }
      }
    }
  }
}

/** What one cell gets of one of the table; null where it stays as it is. */
function cellInput(
  pasting: Pasting,
  table: CellTable,
  from: CellPosition,
  to: CellPosition,
): { readonly input: CellInput | null; readonly format: CellFormat | null } {
  const { options, settings } = pasting;
  const cell = table.rows[from.row]?.[from.column] ?? { text: '' };
  if (options.skipsBlanks && isBlankCell(cell)) return { input: null, format: null };
  const { part, operation } = options;
  if (part === 'formats') return { input: null, format: cell.format ?? null };
  const before = pasting.formatAt(to.row, to.column);
  const { input, format } = contentOf(cell, part, before, settings, () => formulaOf(cell, table, from, to));
  const staysMerged = !partsMerged(options) || isAlone(table);
  if (staysMerged && pasting.isCovered(to.row, to.column)) return { input: null, format };
  if (operation === 'none') return { input, format };
  return {
    input: combined(pasting.contentAt(to.row, to.column), input, operation, settings),
    format,
  };
}

/** The formula of a cell, where it comes to; null where none comes along. */
function formulaOf(
  { formula }: TableCell,
  { origin, isTransposed }: CellTable,
  from: CellPosition,
  to: CellPosition,
): Formula | null {
  if (!formula || !origin) return null;
  if (isTransposed) {
    const own = { row: origin.rows[from.column]!, column: origin.columns[from.row]! };
    return transposedFormula(formula, own, to);
  }
  return Formula.copied(formula, to.row - origin.rows[from.row]!, to.column - origin.columns[from.column]!);
}

/** What a cell on the clipboard holds and how it looks, as far as that is pasted. */
function contentOf(
  cell: TableCell,
  part: PastedPart,
  before: CellFormat,
  settings: FormatSettings,
  formula: () => Formula | null,
): { readonly input: CellInput; readonly format: CellFormat | null } {
  if (cell.value === undefined && !cell.formula) {
    const read = inputOf(cell.text, { format: cell.format ?? before }, settings);
    if (!cell.format) return read;
    const looks = { ...before, ...cell.format, ...read.format };
    // What is read as a day would else be seen as a number.
    const needed =
      read.format?.number !== undefined && before.number === undefined
        ? withNumber(before, read.format.number)
        : null;
    return { input: read.input, format: formatOf(part, looks, before) ?? needed };
  }
  const format = cell.format ? formatOf(part, cell.format, before) : null;
  const kept = part === 'values' || part === 'valuesAndNumbers' ? null : formula();
  const value = cell.value ?? null;
  return { input: kept ? { f: kept.toJSON(), v: value } : { v: value }, format };
}

/** The format that a cell gets; null: it keeps its own. */
function formatOf(part: PastedPart, pasted: CellFormat, before: CellFormat): CellFormat | null {
  switch (part) {
    case 'all':
    case 'formats':
      return pasted;
    case 'allButBorders': {
      const { border: _, ...others } = pasted;
      return { ...others, ...(before.border && { border: before.border }) };
    }
    case 'valuesAndNumbers':
      return withNumber(before, pasted.number);
    case 'values':
    case 'formulas':
    case 'widths':
      return null;
  }
}

function withNumber({ number: _, ...others }: CellFormat, number: string | undefined): CellFormat {
  return { ...others, ...(number !== undefined && { number }) };
}
