import { blankCell, type Cell, isBlank } from './cell.ts';
import { placeFrom, type Row } from './row.ts';

/** How the cells of a row get other formats. */
export interface RowFormatting {
  /** First and last column of each stretch. */
  readonly spans: readonly (readonly [from: number, to: number])[];
  /** The format that a cell gets in place of the one that it has. */
  readonly after: (format: number) => number;
  /** The format of cells that are not kept. */
  readonly defaultAt: (column: number) => number;
  /** Also cells that are not kept get it. */
  readonly fills: boolean;
}

/** A row with other formats in some of its columns; the very same where none changes. */
export function formattedRow(row: Row, { spans, after, defaultAt, fills }: RowFormatting): Row {
  let current = row;
  let own: Cell[] | null = null;
  let isCleared = false;
  // Most cells look as the one before.
  let known = -1;
  let next = -1;
  for (const [from, to] of spans) {
    const first = placeFrom(current, from);
    const end = placeFrom(current, to + 1);
    if (fills && end - first < to - from + 1) {
      const filled = filledRow(current, [from, to], { after, defaultAt });
      [current, own] = [filled, filled.cells];
      continue;
    }
    for (let at = first; at < end; at++) {
      const cell = current.cells[at]!;
      if (cell.format !== known) {
        known = cell.format;
        next = after(known);
      }
      if (next === known) continue;
      if (!own) {
        own = current.cells.slice();
        current = { line: row.line, columns: current.columns, cells: own };
      }
      own[at] = { value: cell.value, formula: cell.formula, format: next };
      isCleared ||= isBlank(own[at]!) && defaultAt(current.columns[at]!) === 0;
    }
  }
  return isCleared ? withoutBlank(current, defaultAt) : current;
}

/** Without cells that are as if they were not kept. */
function withoutBlank({ line, columns, cells }: Row, defaultAt: RowFormatting['defaultAt']): Row {
  const isKept = (at: number) => !isBlank(cells[at]!) || defaultAt(columns[at]!) !== 0;
  return {
    line,
    columns: columns.filter((_, at) => isKept(at)),
    cells: cells.filter((_, at) => isKept(at)),
  };
}

/** With a cell in each of the columns of a stretch, but for those that are as if they were not kept. */
function filledRow(
  row: Row,
  [from, to]: readonly [number, number],
  { after, defaultAt }: Pick<RowFormatting, 'after' | 'defaultAt'>,
): Row & { readonly cells: Cell[] } {
  let at = placeFrom(row, from);
  const columns = row.columns.slice(0, at);
  const cells = row.cells.slice(0, at);
  for (let column = from; column <= to; column++) {
    const own = defaultAt(column);
    const before = row.columns[at] === column ? row.cells[at++]! : { ...blankCell, format: own };
    const cell: Cell = { value: before.value, formula: before.formula, format: after(before.format) };
    if (isBlank(cell) && own === 0) continue;
    columns.push(column);
    cells.push(cell);
  }
  // Without the room that lists have which grew.
  return {
    line: row.line,
    columns: columns.concat(row.columns.slice(at)),
    cells: cells.concat(row.cells.slice(at)),
  };
}
