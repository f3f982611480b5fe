import type { Cell } from './cell.ts';
import type { Formula } from './formula/formula.ts';
import type { Row } from './row.ts';

/** A change of all formulas of a grid. */
export interface FormulaChange {
  /** What becomes of a formula that stands in a row and a column. */
  of(formula: Formula, row: number, column: number): Formula;
  /** Whether it can be made at once with the one before it. */
  joins?(before: FormulaChange): boolean;
  /** Several that join, each the one before, at once; this is the last of them. */
  joined?(all: readonly FormulaChange[]): FormulaChange;
}

/**
 * Changes of all formulas of a grid, in order. A row takes them when somebody looks at it: `seen` of it says how many it has
 * had. So an insertion costs nothing in the rows that nobody looks at.
 */
export interface FormulaChanges {
  /** Whether there may be formulas, and such as fill other cells. */
  readonly has: FormulaKinds;
  /** How many there were before those of the list: no row with formulas has had fewer. */
  readonly start: number;
  readonly list: readonly FormulaChange[];
  /** How many there are where those that join count as one. */
  readonly runs: number;
}

/** 1: some, 2: some that fill other cells. Once there were such, there may be. */
export type FormulaKinds = number;

export const noChanges: FormulaChanges = { has: 0, start: 0, list: [], runs: 0 };
/** When so many wait, or so many that have to be made one by one, all rows take them. */
const maxWaiting = 1_024;
const maxRuns = 256;

export const areMany = ({ list, runs }: FormulaChanges): boolean =>
  list.length >= maxWaiting || runs >= maxRuns;

/** With one more. */
export function withChange(
  { has, start, list, runs }: FormulaChanges,
  change: FormulaChange,
): FormulaChanges {
  const last = list.at(-1);
  const isJoined = last !== undefined && change.joins?.(last) === true;
  return { has, start, list: [...list, change], runs: runs + (isJoined ? 0 : 1) };
}

export const countOf = ({ start, list }: FormulaChanges): number => start + list.length;

/** What rows have become, and by which changes: most are looked at again before the next. */
const caughtUp = new WeakMap<Row, CaughtUp>();

interface CaughtUp {
  readonly changes: FormulaChanges;
  readonly row: Row;
  /** By other changes: two versions are compared with each other. */
  readonly other: CaughtUp | null;
}

/** A row with all changes that wait for it; the very same where none changes it. */
export function catchUp(row: Row, changes: FormulaChanges): Row {
  const count = countOf(changes);
  if ((row.seen ?? 0) >= count) return row;
  const known = caughtUp.get(row);
  if (known?.changes === changes) return known.row;
  if (known?.other?.changes === changes) return known.other.row;
  const isAhead = known !== undefined && areFirst(known.changes, changes);
  const begin = isAhead ? known.row : row;
  const seen = isAhead ? countOf(known.changes) : (row.seen ?? 0);
  let cells: Cell[] | null = null;
  let hasFormulas = false;
  for (let at = 0; at < begin.cells.length; at++) {
    const cell = begin.cells[at]!;
    if (cell.formula === null) continue;
    hasFormulas = true;
    let { formula } = cell;
    for (const change of changesFrom(changes, Math.max(0, seen - changes.start))) {
      formula = change.of(formula, -1, begin.columns[at]!);
    }
    if (formula === cell.formula) continue;
    cells ??= begin.cells.slice();
    cells[at] = { value: cell.value, formula, format: cell.format };
  }
  if (!hasFormulas) return row;
  const next = cells ? { line: begin.line, columns: begin.columns, cells, seen: count } : begin;
  caughtUp.set(row, { changes, row: next, other: known ? { ...known, other: null } : null });
  return next;
}

/** The changes of a list from a place on, those that join at once: very many rows mostly ask for the same. */
const joinedFrom = new WeakMap<readonly FormulaChange[], Map<number, readonly FormulaChange[]>>();

function changesFrom({ list }: FormulaChanges, from: number): readonly FormulaChange[] {
  if (from >= list.length - 1) return from === list.length - 1 ? list.slice(from) : [];
  const known = joinedFrom.get(list) ?? new Map<number, readonly FormulaChange[]>();
  joinedFrom.set(list, known);
  const found = known.get(from) ?? joinedChanges(list.slice(from));
  known.set(from, found);
  return found;
}

function joinedChanges(list: readonly FormulaChange[]): readonly FormulaChange[] {
  const joined: FormulaChange[] = [];
  let run: FormulaChange[] = [];
  for (const [at, change] of list.entries()) {
    run.push(change);
    const next = list[at + 1];
    if (next?.joins?.(change)) continue;
    joined.push(change.joined?.(run) ?? change);
    run = [];
  }
  return joined;
}

/** Whether changes are the first ones of others. */
const areFirst = (some: FormulaChanges, all: FormulaChanges): boolean =>
  some.start === all.start &&
  some.list.length <= all.list.length &&
  some.list.at(-1) === all.list[some.list.length - 1];

/** A row that has had so many changes of formulas. */
export const seenBy = (row: Row, count: number): Row =>
  (row.seen ?? 0) === count ? row : { ...row, seen: count };
