import type { Cell } from '../../../../../model/cell/cell.ts';
import type { Row } from '../../../../../model/cell/row.ts';
import { placeIn } from '../../../../../model/cell/row.ts';
import { signatureOf } from '../../../../../model/cell/row-matches.ts';
import { RowCursor } from '../row-cursor.ts';
import type { SheetXml } from '../sheet-xml.ts';
import type { SourceRow } from './sheet-rows.ts';

/** A cell of the file, by offsets in the rows of its sheet. */
export interface SourceCell {
  /** From 0. */
  readonly row: number;
  readonly column: number;
  readonly start: number;
  readonly openEnd: number;
  readonly end: number;
  /** What the model read in it; undefined for a blank one. */
  readonly cell: Cell | undefined;
  /** The element `f`; empty without one. */
  readonly formula: string;
  /** The elements `v` or `is`; empty without one. */
  readonly value: string;
  readonly extension: string;
  readonly cellMetadata: number;
}

/** A cell of a row, and the cell of the file that it comes from. */
export interface CellMatch {
  readonly column: number;
  readonly cell: Cell;
  readonly source: SourceCell | undefined;
}

export interface MatchedRow {
  readonly cells: readonly CellMatch[];
  /** Blank cells of the file, which nothing stands for. */
  readonly blanks: readonly SourceCell[];
}

/** The cells of a row of the file. */
export function sourceCellsOf({ rows, prefix }: SheetXml, { place, start, row }: SourceRow): SourceCell[] {
  const cursor = new RowCursor(rows, prefix, start);
  const cells: SourceCell[] = [];
  cursor.nextRow();
  while (cursor.nextCell()) {
    const column = cursor.column - 1;
    const at = row ? placeIn(row.columns, column) : -1;
    const { cellStart, cellOpenEnd, cellEnd, formulaStart, inlineStart, extensionStart } = cursor;
    cells.push({
      row: place,
      column,
      start: cellStart,
      openEnd: cellOpenEnd,
      end: cellEnd,
      cell: at < 0 ? undefined : row!.cells[at],
      formula: formulaStart < 0 ? '' : rows.slice(formulaStart, cursor.formulaEnd),
      value: inlineStart >= 0 ? rows.slice(inlineStart, cursor.inlineEnd) : valueXml(cursor, prefix),
      extension: extensionStart < 0 ? '' : rows.slice(extensionStart, cursor.extensionEnd),
      cellMetadata: cursor.cellMetadata,
    });
  }
  return cells;
}

function valueXml({ text, valueStart, valueEnd }: RowCursor, prefix: string): string {
  return valueStart < 0 ? '' : `<${prefix}v>${text.slice(valueStart, valueEnd)}</${prefix}v>`;
}

/**
 * Which cells of the file the cells of a row come from: by the cells themselves, by what they are, and for those that were made
 * anew by how far their neighbours have moved.
 */
export function matchCells(row: Row, sources: readonly SourceCell[]): MatchedRow {
  const byColumn = new Map(sources.map((source) => [source.column, source]));
  const known = knownSources(row, sources, byColumn);
  const claimed = new Set(known.filter((source) => source !== undefined));
  const shifts = shiftsOf(row.columns, known);
  const cells = row.columns.map((column, at): CellMatch => {
    const cell = row.cells[at]!;
    let source = known[at];
    for (const shift of source ? [] : new Set([shifts.left[at]!, shifts.right[at]!])) {
      const found = byColumn.get(column - shift);
      if (!found?.cell || claimed.has(found)) continue;
      claimed.add(found);
      source = found;
      break;
    }
    return { column, cell, source };
  });
  const isShifted = cells.some(({ column, source }) => source && source.column !== column);
  const taken = new Set(row.columns);
  const blanks = isShifted ? [] : sources.filter((source) => !source.cell && !taken.has(source.column));
  return { cells, blanks };
}

function knownSources(
  row: Row,
  sources: readonly SourceCell[],
  byColumn: ReadonlyMap<number, SourceCell>,
): (SourceCell | undefined)[] {
  const byCell = new Map<Cell, SourceCell>();
  for (const source of sources) if (source.cell) byCell.set(source.cell, source);
  const known = row.cells.map((cell) => byCell.get(cell));
  if (!known.includes(undefined)) return known;
  const claimed = new Set(known.filter((source) => source !== undefined));
  const signatures = row.cells.map((cell, at) => (known[at] ? '' : signatureOf(cell)));
  const claim = (at: number, source: SourceCell | undefined) => {
    if (!source?.cell || known[at] || claimed.has(source) || signatureOf(source.cell) !== signatures[at])
      return;
    known[at] = source;
    claimed.add(source);
  };
  for (const [at, column] of row.columns.entries()) claim(at, byColumn.get(column));
  const left = new Map<string, SourceCell[]>();
  for (const source of sources) {
    if (!source.cell || claimed.has(source)) continue;
    const signature = signatureOf(source.cell);
    left.set(signature, [...(left.get(signature) ?? []), source]);
  }
  for (const [at, signature] of signatures.entries()) if (!known[at]) claim(at, left.get(signature)?.shift());
  return known;
}

/** For each cell how far the nearest known one to its left, and to its right, has moved. */
function shiftsOf(
  columns: readonly number[],
  known: readonly (SourceCell | undefined)[],
): { left: number[]; right: number[] } {
  const left: number[] = [];
  const right: number[] = new Array(columns.length).fill(0);
  let shift: number | undefined;
  for (const [at, column] of columns.entries()) {
    const source = known[at];
    if (source) shift = column - source.column;
    left.push(shift ?? 0);
  }
  shift = undefined;
  for (let at = columns.length - 1; at >= 0; at--) {
    const source = known[at];
    if (source) shift = columns[at]! - source.column;
    right[at] = shift ?? left[at]!;
  }
  return { left, right };
}
