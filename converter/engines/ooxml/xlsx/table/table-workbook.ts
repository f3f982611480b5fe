import type { Cell } from '../../../../../model/cell/cell.ts';
import type { FormatTable } from '../../../../../model/cell/cell-format.ts';
import { Grid } from '../../../../../model/cell/grid.ts';
import { Lines, noLine } from '../../../../../model/cell/lines.ts';
import type { Row } from '../../../../../model/cell/row.ts';
import { type Sheet, visibleSheets, type Workbook } from '../../../../../model/cell/workbook.ts';
import { patchZip } from '../../package/zip-patcher.ts';
import { blankXlsx } from '../blank-xlsx.ts';
import { XlsxSource } from '../xlsx-source.ts';
import { writeXlsx } from '../xlsx-writer.ts';
import { type Delimiter, SeparatedCells } from './separated-cells.ts';
import { localeOfTable, tableText, tableValue } from './table-values.ts';

/** Widths of columns, in characters. */
const leastWidth = 8;
const mostWidth = 50;
/** So many rows say how wide a column is. */
const measuredRows = 500;

/** A workbook with one sheet that has the cells of a table in plain text. */
export function xlsxOfTable(text: string, delimiter: Delimiter): Uint8Array {
  const { rows } = SeparatedCells.read(text, delimiter);
  const locale = localeOfTable(rows, delimiter);
  const source = XlsxSource.open(blankXlsx(locale));
  const formats = new Formats(source.workbook.formats);
  const grid = Grid.of(
    rows.flatMap((cells, place) => {
      const row = rowOf(cells, locale, formats);
      return row.cells.length > 0 ? [[place, row] as const] : [];
    }),
  );
  const sheet: Sheet = { ...source.workbook.sheets[0]!, grid, columns: widthsOf(rows) };
  const workbook: Workbook = { ...source.workbook, sheets: [sheet], formats: formats.table };
  const { parts } = writeXlsx(source, workbook, { media: () => undefined });
  return patchZip(source.package.archive, parts);
}

/** The formats of a workbook by their number formats. */
class Formats {
  table: FormatTable;
  readonly #places = new Map([['', 0]]);

  constructor(table: FormatTable) {
    this.table = table;
  }

  placeOf(pattern: string): number {
    const known = this.#places.get(pattern);
    if (known !== undefined) return known;
    const { table, index } = this.table.with({ ...this.table.at(0), number: pattern });
    this.table = table;
    this.#places.set(pattern, index);
    return index;
  }
}

function rowOf(texts: readonly string[], locale: string, formats: Formats): Row {
  const columns: number[] = [];
  const cells: Cell[] = [];
  for (const [column, text] of texts.entries()) {
    if (text === '') continue;
    const { value, pattern } = tableValue(text, locale);
    columns.push(column);
    cells.push({ value, formula: null, format: formats.placeOf(pattern) });
  }
  return { line: noLine, columns, cells };
}

/** Each column has room for the longest of its first cells. */
function widthsOf(rows: readonly (readonly string[])[]): Lines {
  const lengths: number[] = [];
  for (const row of rows.slice(0, measuredRows)) {
    for (const [column, text] of row.entries()) {
      const longest = Math.max(...text.split('\n', 10).map((line) => line.length));
      lengths[column] = Math.max(lengths[column] ?? 0, longest);
    }
  }
  const widthFor = (length: number) => Math.min(mostWidth, Math.max(leastWidth, length + 2));
  return Lines.of(lengths.map((length, column) => [column, 1, { size: widthFor(length) }] as const));
}

/**
 * The first sheet of a workbook as a table in plain text, written as the one that the workbook was made of: numbers and days in the
 * same language, cells quoted in the same way, and each line with the empty cells that it, or all, had at its end.
 */
export function tableOfXlsx(file: Uint8Array, sourceText: string, delimiter: Delimiter): string {
  const { workbook } = XlsxSource.open(file);
  const source = SeparatedCells.read(sourceText, delimiter);
  const before = source.rows;
  const locale = localeOfTable(before, delimiter);
  const { grid } = visibleSheets(workbook)[0]!;
  const even = before.every((row) => row.length === before[0]!.length) ? (before[0]?.length ?? 0) : 0;
  const isEmpty = (row: readonly string[]) => row.every((cell) => cell === '');
  const filled = before.findLastIndex((row) => !isEmpty(row)) + 1;
  const emptyAfter = Math.max(0, before.length - Math.max(filled, grid.lastRow + 1));
  // A line that no cell is on, and that was not there, is empty: one far below would else fill up all lines before it.
  const rows: string[][] = Array.from({ length: grid.lastRow + 1 + emptyAfter }, () => []);
  for (const [place, { columns, cells }] of grid.rows(0, grid.lastRow)) {
    const row = rows[place]!;
    for (const [at, column] of columns.entries()) {
      const { value, format } = cells[at]!;
      if (value === null) continue;
      while (row.length < column) row.push('');
      row[column] = tableText(value, workbook.formats.at(format).number ?? '', locale);
    }
    while (row.length < even) row.push('');
  }
  for (const [place, row] of rows.entries()) {
    const there = before[place];
    if (there === undefined) continue;
    const width = isEmpty(there.slice(row.length)) ? there.length : even;
    while (row.length < width) row.push('');
  }
  return source.write(rows, (text) => typeof tableValue(text, locale).value === 'number');
}
