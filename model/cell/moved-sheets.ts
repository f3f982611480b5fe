import type { Change, MovedRows } from '../calculation/calculation.ts';
import { lastRow } from './area.ts';
import {
  cellDifferences,
  filters,
  hiddenDifference,
  hiddenOf,
  withoutSpilled,
} from './calculated-contents.ts';
import { type Cell, sameValue } from './cell.ts';
import type { Formula } from './formula/formula.ts';
import { type FormulaPart, isReference, type Reference } from './formula/formula-parts.ts';
import { Grid } from './grid.ts';
import type { LineRun } from './line-origins.ts';
import { emptyRow, type Row } from './row.ts';
import { alignedRows } from './row-alignment.ts';
import type { Sheet, Workbook } from './workbook.ts';

/** What a calculation is told of a sheet whose rows have moved. */
export interface MovedSheet {
  readonly moves: readonly MovedRows[];
  /** What differs then. */
  readonly changes: readonly Change[];
}

/** Finds them in two versions with the same sheets, by number. */
export type MovedSheets = (before: Workbook, after: Workbook) => ReadonlyMap<number, MovedSheet>;

/** So many moves at most are told: each looks at all formulas. */
const mostMoves = 8;

/** By number the sheets whose rows have moved as a whole, in two versions with the same sheets. */
export const movedSheets: MovedSheets = (before, after) => {
  const found = new Map<number, MovedSheet>();
  for (const [number, sheet] of after.sheets.entries()) {
    const earlier = before.sheets[number]!;
    if (earlier.grid === sheet.grid || filters(earlier) !== filters(sheet)) continue;
    const runs = Grid.compared(earlier.grid, sheet.grid, alignedRows);
    const moves = movesOf(number, runs);
    if (moves.length === 0 || moves.length > mostMoves || !keepsSpans(earlier.grid, sheet.grid, runs))
      continue;
    found.set(number, { moves, changes: changesBeside(number, earlier, sheet, runs) });
  }
  return found;
};

/** Rows that are put in or taken out one after the other so that the rest comes to stand where it belongs. */
function movesOf(sheet: number, runs: readonly LineRun[]): MovedRows[] {
  const moves: MovedRows[] = [];
  let shift = 0;
  let end = 0;
  for (const { first, count, origin } of runs) {
    const moved = first - origin - shift;
    if (moved !== 0) moves.push({ sheet, row: end + 1, moved });
    shift = first - origin;
    end = first + count;
  }
  return moves;
}

/**
 * Whether what formulas fill beside their own cells stays together with them, and no array of old is gone: else it is not enough to look at
 * each cell alone.
 */
function keepsSpans(before: Grid, after: Grid, runs: readonly LineRun[]): boolean {
  for (const [{ kind, rows, columns }, row, column] of before.spanning()) {
    const run = runs.find(({ count, origin }) => row >= origin && row < origin + count);
    if (!run && rows > 1) return false;
    if (!run) continue;
    if (row + rows > run.origin + run.count) return false;
    const moved = run.first - run.origin;
    const now = after.cell(row + moved, column).formula?.span;
    const isThere = now?.kind === kind && now.rows === rows && now.columns === columns;
    if (kind === 'array' && !isThere) return false;
  }
  return true;
}

/** What differs in rows that belong together, and in new ones. */
function changesBeside(
  number: number,
  { grid: before }: Sheet,
  sheet: Sheet,
  runs: readonly LineRun[],
): readonly Change[] {
  const isFiltering = filters(sheet);
  const changes: Change[] = [];
  const compare = (place: number, old: Row, now: Row, moved: number) => {
    const [was, is] = [hiddenOf(old, isFiltering), hiddenOf(now, isFiltering)];
    changes.push(...hiddenDifference(number, place, was, is));
    const isSame = (one: Cell, other: Cell) => hasMovedAlone(one, other, moved);
    // Mostly a row has moved as it was.
    if (old.columns === now.columns && old.cells.every((cell, at) => isSame(cell, now.cells[at]!))) return;
    changes.push(...cellDifferences(number, place, old, now, isSame));
  };
  let next = 0;
  for (const { first, count, origin } of [...runs, { first: lastRow + 1, count: 0, origin: 0 }]) {
    if (next < first)
      for (const [place, row] of sheet.grid.rows(next, first - 1)) compare(place, emptyRow, row, 0);
    next = first + count;
    const moved = first - origin;
    const earlier = new Map(count > 0 ? before.rows(origin, origin + count - 1) : []);
    for (const [place, now] of count > 0 ? sheet.grid.rows(first, next - 1) : []) {
      const old = earlier.get(place - moved) ?? emptyRow;
      earlier.delete(place - moved);
      if (old !== now || moved !== 0) compare(place, old, now, moved);
    }
    for (const [place, old] of earlier) compare(place + moved, old, emptyRow, moved);
  }
  return withoutSpilled(changes);
}

/** Whether a cell that has moved by so many rows is all that it was to a calculation that has moved it. */
function hasMovedAlone(old: Cell, now: Cell, rows: number): boolean {
  if (old === now && old.formula === null) return true;
  if (!sameValue(old.value, now.value)) return false;
  const [was, is] = [old.formula, now.formula];
  if (!was || !is) return was === is;
  if (rows === 0 && was.equals(is)) return true;
  const [a, b] = [was.span, is.span];
  if (a?.kind !== b?.kind || a?.rows !== b?.rows || a?.columns !== b?.columns) return false;
  return a?.kind === 'data' || (rows !== 0 && isAsSeenFromItself(was, is, rows));
}

/** Whether a formula that has moved by so many rows is the one that a copy would be, for whatever is made of it. */
function isAsSeenFromItself(was: Formula, is: Formula, rows: number): boolean {
  const [before, after] = [was.parts, is.parts];
  return (
    before.length === after.length &&
    after.every((part, at) => {
      const old = before[at]!;
      // Brackets are of tables, and a space between references means what they have in common.
      if (typeof part === 'string')
        return part === old && !part.includes('[') && (at === 0 || part.trim() !== '');
      if (typeof old === 'string' || !isReference(part) || !isReference(old)) return false;
      if (part.type !== 'cell' && is.span === null && isOperand(after, at)) return false;
      return isMovedReference(old, part, rows);
    })
  );
}

function isMovedReference(
  old: Reference,
  { type, sheet, toSheet, absolute, area }: Reference,
  rows: number,
): boolean {
  const by = (side: number) => (type === 'columns' || absolute & side ? 0 : rows);
  return (
    type === old.type &&
    sheet === old.sheet &&
    toSheet === null &&
    old.toSheet === null &&
    absolute === old.absolute &&
    area[0] - old.area[0] === by(1) &&
    area[2] - old.area[2] === by(4) &&
    area[1] === old.area[1] &&
    area[3] === old.area[3]
  );
}

/**
 * Whether a range may stand beside an operator: in a formula of old it means the cell of the formula's own row or column, which is looked
 * for before it is calculated.
 */
function isOperand(parts: readonly FormulaPart[], at: number): boolean {
  const [left, right] = [parts[at - 1] ?? '', parts[at + 1] ?? ''];
  if (typeof left !== 'string' || typeof right !== 'string') return true;
  return /(?:[-+*/^&=<>%]|(?<![\p{L}\p{N}_.])\()\s*$/u.test(left) || /^\s*[-+*/^&=<>%]/.test(right);
}
