import type { CellOperation } from '../../../model/cell/operations.ts';
import type { Sheet } from '../../../model/cell/workbook.ts';

export type Span = readonly [from: number, to: number];

/** A sheet with more rows is not looked through for text that another width of its column breaks elsewhere. */
const mostRows = 20_000;

/**
 * The rows of a sheet in which changes may need another height: where cells get other content or looks, and where a column gets
 * another width and has text that is broken into lines. In order, and each of them once.
 * @param isBroken whether a format breaks text into lines
 */
export function touchedRows(
  changes: readonly CellOperation[],
  sheet: Sheet,
  isBroken: (format: number) => boolean,
): Span[] {
  const touched = changes.flatMap((change) => rowsOf(change, sheet, isBroken));
  const spans: [number, number][] = [];
  for (const [from, to] of touched.toSorted(([one], [other]) => one - other)) {
    const last = spans.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else spans.push([from, to]);
  }
  return spans;
}

function rowsOf(change: CellOperation, sheet: Sheet, isBroken: (format: number) => boolean): Span[] {
  if (change.op === 'moveCells') return movedRows(change, sheet);
  if (!('sheet' in change) || change.sheet !== sheet.id) return [];
  switch (change.op) {
    case 'set':
      return change.cells.map(([row]) => [row, row]);
    case 'block':
      return [[change.row, change.row + change.rows.length - 1]];
    case 'fill':
      return [[change.to[0], change.to[2]]];
    case 'clear':
      return change.areas.map(([top, , bottom]) => [top, bottom]);
    case 'format': {
      const { font, align } = change.patch;
      return font === undefined && align === undefined
        ? []
        : change.areas.map(([top, , bottom]) => [top, bottom]);
    }
    case 'sort':
      return change.axis === 'row' ? change.order.map((row) => [row, row]) : [];
    case 'lines':
      return change.axis === 'column' && change.patch.size !== undefined
        ? rowsBrokenIn(sheet, change.spans, isBroken)
        : [];
    default:
      return [];
  }
}

function movedRows(
  { sheet, area, toSheet, row }: Extract<CellOperation, { op: 'moveCells' }>,
  { id }: Sheet,
): Span[] {
  const [top, , bottom] = area;
  return [
    ...(sheet === id ? [[top, bottom] as const] : []),
    ...(toSheet === id ? [[row, row + bottom - top] as const] : []),
  ];
}

/** The rows that have text broken into lines in some columns. */
function rowsBrokenIn(
  { grid }: Sheet,
  spans: readonly Span[],
  isBroken: (format: number) => boolean,
): Span[] {
  if (grid.height > mostRows) return [];
  const isIn = (column: number) => spans.some(([from, to]) => column >= from && column <= to);
  return [...grid.rows()].flatMap(([row, { columns, cells }]): Span[] =>
    columns.some((column, at) => isIn(column) && isBroken(cells[at]!.format)) ? [[row, row]] : [],
  );
}
