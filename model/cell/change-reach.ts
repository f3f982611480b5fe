import { sheetColumns, sheetRows } from '../cell-address.ts';
import { AreaIndex } from './area-index.ts';
import { differences, sameFrame } from './calculation-feed.ts';
import type { CalculatedPlace } from './calculation-host.ts';
import { type Cell, isCalculated, sameValue } from './cell.ts';
import { CellOrigins } from './cell-origins.ts';
import {
  type FormulaPlace,
  type FormulaReads,
  PrecedentReader,
  type SheetArea,
} from './formula/formula-reads.ts';
import { Grid } from './grid.ts';
import { MovedDifferences } from './moved-differences.ts';
import { cellIn, type Row } from './row.ts';
import { isErrorValue } from './values.ts';
import type { Workbook } from './workbook.ts';

/** More than so many areas and cells are not looked at: then all formulas are calculated. */
const mostLooks = 5_000_000;

/** The number of a cell, below 2⁵³ for the first 500,000 sheets. */
type CellNumber = number;

const numberOf = (sheet: number, row: number, column: number): CellNumber =>
  (sheet * sheetRows + row) * sheetColumns + column;

function placeOf(cell: CellNumber): FormulaPlace {
  const line = Math.floor(cell / sheetColumns);
  return { sheet: Math.floor(line / sheetRows), row: line % sheetRows, column: cell % sheetColumns };
}

/** Thrown within this file: what a change reaches cannot be told. */
class BeyondReach extends Error {}

/** What tells which values of formulas a change leads to. */
export interface Reach {
  /** The earlier version; null where cells have moved, and all that comes of the later one counts. */
  readonly before: Workbook | null;
  readonly after: Workbook;
  /** Where values are told also where the earlier version came to the same. */
  readonly wanted: readonly CalculatedPlace[];
  /** Whether the change may have led to what is calculated for a cell of the later version: other values are those that are stored. */
  readonly reaches: (sheet: string, row: number, column: number) => boolean;
}

/**
 * Two versions of a workbook with as little in them as a calculation needs to tell which values of formulas differ: the formulas that
 * the change reaches, and what these read, as it is stored. The same versions where that cannot be told.
 */
export function withinReach(before: Workbook, after: Workbook): Reach {
  const origins = new CellOrigins(before, after);
  const earlier = origins.isStill ? before : null;
  const wanted = earlier ? otherwiseStored(earlier, after) : [];
  const everything: Reach = { before: earlier, after, wanted, reaches: () => true };
  if (!isComparable(before, after)) return everything;
  try {
    if (!earlier || !sameFrame(before, after)) return movedReach(before, after, origins);
    const needed = new ChangeReach(before, after).needed(changedCells(before, after), before);
    return {
      ...everything,
      before: reduced(earlier, needed),
      after: reduced(after, needed),
    };
  } catch (error) {
    if (error instanceof BeyondReach) return everything;
    throw error;
  }
}

/** Whether only what their cells hold, and names, tables and sheets, may differ. */
const isComparable = (before: Workbook, after: Workbook): boolean =>
  before.items.book === after.items.book &&
  before.properties.date1904 === after.properties.date1904 &&
  before.properties.calculation?.iterates === after.properties.calculation?.iterates;

/** @throws BeyondReach */
function changedCells(before: Workbook, after: Workbook): CellNumber[] {
  return [...differences(before, after)].map((change) => {
    if (!('content' in change)) throw new BeyondReach();
    return numberOf(change.sheet, change.row - 1, change.column - 1);
  });
}

/** @throws BeyondReach */
function movedReach(before: Workbook, after: Workbook, origins: CellOrigins): Reach {
  const moved = new MovedDifferences(before, after, origins);
  if (moved.areRowsHiddenOtherwise()) throw new BeyondReach();
  const reach = new ChangeReach(before, after);
  const changed = [...moved.cells()].map(({ sheet, row, column }) => numberOf(sheet, row, column));
  const needed = reach.needed(changed, null);
  const sheets = new Map(after.sheets.map(({ id }, at) => [id, at]));
  const reached = reach.reachedCells();
  return {
    before: null,
    after: reduced(after, needed),
    wanted: [],
    reaches: (sheet, row, column) => reached.has(numberOf(sheets.get(sheet)!, row, column)),
  };
}

/** Of each sheet, by row and column: the cells that are needed, and whether with their formulas. */
type Needed = readonly ReadonlyMap<number, ReadonlyMap<number, boolean>>[];

class ChangeReach {
  readonly #after: Workbook;
  readonly #reader: PrecedentReader;
  /** What the formulas of the later version read, by sheet. */
  readonly #readers: readonly AreaIndex[];
  readonly #volatile: CellNumber[] = [];
  /** Formulas that fill other cells too. */
  readonly #spans: CellNumber[] = [];
  /** Formulas with time or chance in them, whose values are not those that are stored. */
  #unsettled: ReadonlySet<CellNumber> = new Set();
  /** Formulas that the change reaches. */
  #changed: ReadonlySet<CellNumber> = new Set();
  readonly #needed: readonly Map<number, Map<number, boolean>>[];
  /** What formulas that are needed read. */
  readonly #untaken: FormulaReads[] = [];
  /** Areas whose cells are needed already. */
  readonly #taken = new Set<string>();
  #looks = 0;

  /** @throws BeyondReach */
  constructor(before: Workbook, after: Workbook) {
    this.#after = after;
    this.#reader = new PrecedentReader(after, before);
    this.#readers = after.sheets.map(() => new AreaIndex());
    this.#needed = after.sheets.map(() => new Map());
    for (const [sheet, { grid }] of after.sheets.entries()) {
      for (const [row, { columns, cells }] of grid.rows()) {
        for (let at = 0; at < cells.length; at++) {
          if (isCalculated(cells[at]!)) this.#read(cells[at]!, { sheet, row, column: columns[at]! });
        }
      }
    }
    // What a formula comes to within what another one fills depends on which is calculated first.
    for (const span of this.#spans)
      for (const cell of this.#cellsOf(span))
        if (cell !== span && isCalculated(this.#cell(cell))) throw new BeyondReach();
  }

  #read(cell: Cell, place: FormulaPlace): void {
    const { areas, isVolatile } = this.#readsOf(cell, place);
    const number = numberOf(place.sheet, place.row, place.column);
    for (const { sheet: there, area } of areas) this.#readers[there]!.add(area, number);
    if (isVolatile) this.#volatile.push(number);
    if (cell.formula!.span === null) return;
    // What it fills, or would if there were room, is not known.
    if (cell.value === null || isErrorValue(cell.value)) throw new BeyondReach();
    this.#spans.push(number);
  }

  #readsOf({ formula }: Cell, place: FormulaPlace): FormulaReads {
    const reads = this.#reader.reads(formula!, place);
    if (!reads) throw new BeyondReach();
    return reads;
  }

  /**
   * @param earlier where it is calculated, too, what the formulas in changed cells came to
   * @throws BeyondReach
   */
  needed(changed: readonly CellNumber[], earlier: Workbook | null): Needed {
    this.#unsettled = this.#reached(this.#volatile);
    if (this.#spans.some((span) => this.#unsettled.has(span))) throw new BeyondReach();
    this.#changed = this.#reached(changed);
    for (const formula of this.#changed) this.#take(formula);
    for (const cell of changed) {
      this.#mark(cell, true);
      const { sheet, row, column } = placeOf(cell);
      const was = earlier && earlier.sheets[sheet]!.grid.cell(row, column);
      if (was && isCalculated(was)) this.#untaken.push(this.#readsOf(was, placeOf(cell)));
    }
    for (let next = this.#untaken.pop(); next; next = this.#untaken.pop()) {
      for (const area of next.areas) this.#takeArea(area, next.seesFormulas);
    }
    return this.#needed;
  }

  /** The cells that show what the formulas come to that the change reaches. */
  reachedCells(): ReadonlySet<CellNumber> {
    return new Set([...this.#changed].flatMap((formula) => [...this.#cellsOf(formula)]));
  }

  /** The formulas whose values may be others where some cells are. */
  #reached(changed: readonly CellNumber[]): Set<CellNumber> {
    const reached = new Set<CellNumber>();
    const queue = [...changed];
    const reach = (formula: CellNumber) => {
      if (reached.has(formula)) return;
      reached.add(formula);
      for (const cell of this.#cellsOf(formula)) queue.push(cell);
    };
    for (const cell of changed) {
      if (isCalculated(this.#cell(cell))) reach(cell);
      this.#count(this.#spans.length);
      for (const span of this.#spans) if (this.#fills(span, cell)) reach(span);
    }
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const { sheet, row, column } = placeOf(next);
      this.#count(this.#readers[sheet]!.visit(row, column, reach) + 1);
    }
    return reached;
  }

  /** The cells that show what a formula comes to. */
  *#cellsOf(formula: CellNumber): Generator<CellNumber> {
    const { rows = 1, columns = 1 } = this.#cell(formula).formula!.span ?? {};
    this.#count(rows * columns);
    const { sheet, row, column } = placeOf(formula);
    for (let down = 0; down < rows; down++)
      for (let right = 0; right < columns; right++) yield numberOf(sheet, row + down, column + right);
  }

  #fills(span: CellNumber, cell: CellNumber): boolean {
    const { rows, columns } = this.#cell(span).formula!.span!;
    const [{ sheet, row: top, column: left }, { sheet: other, row, column }] = [placeOf(span), placeOf(cell)];
    return sheet === other && row >= top && row < top + rows && column >= left && column < left + columns;
  }

  #cell(cell: CellNumber): Cell {
    const { sheet, row, column } = placeOf(cell);
    return this.#after.sheets[sheet]!.grid.cell(row, column);
  }

  #count(looks: number): void {
    this.#looks += looks;
    if (this.#looks > mostLooks) throw new BeyondReach();
  }

  /** A formula is needed as one, and what it reads. */
  #take(formula: CellNumber): void {
    if (!this.#mark(formula, true)) return;
    const cell = this.#cell(formula);
    // How far it spills is known when it is calculated.
    if (cell.formula!.span?.kind === 'dynamic') throw new BeyondReach();
    this.#untaken.push(this.#readsOf(cell, placeOf(formula)));
  }

  #takeArea({ sheet, area }: SheetArea, seesFormulas: boolean): void {
    const [r1, c1, r2, c2] = area;
    const key = `${sheet} ${r1} ${c1} ${r2} ${c2} ${seesFormulas}`;
    if (this.#taken.has(key)) return;
    this.#taken.add(key);
    // The formula of an array is that of each of its cells, and may stand outside.
    if (seesFormulas) this.#takeSpansIn({ sheet, area });
    for (const [row, { columns, cells }] of this.#after.sheets[sheet]!.grid.rows(r1, r2)) {
      this.#count(columns.length + 1);
      for (let at = 0; at < columns.length; at++) {
        if (columns[at]! < c1 || columns[at]! > c2) continue;
        const cell = numberOf(sheet, row, columns[at]!);
        if (isCalculated(cells[at]!) && (seesFormulas || !this.#isStored(cells[at]!, cell))) this.#take(cell);
        else this.#mark(cell, false);
      }
    }
  }

  #takeSpansIn({ sheet, area: [r1, c1, r2, c2] }: SheetArea): void {
    this.#count(this.#spans.length);
    for (const span of this.#spans) {
      const { rows, columns } = this.#cell(span).formula!.span!;
      const { sheet: its, row, column } = placeOf(span);
      const isBeside = row > r2 || column > c2 || row + rows <= r1 || column + columns <= c1;
      if (its === sheet && !isBeside) this.#take(span);
    }
  }

  /** Whether the value of a formula is the one that is stored. */
  #isStored({ value }: Cell, cell: CellNumber): boolean {
    return value !== null && !this.#unsettled.has(cell);
  }

  /** @returns whether that was not known */
  #mark(cell: CellNumber, isFormula: boolean): boolean {
    const { sheet, row, column } = placeOf(cell);
    const rows = this.#needed[sheet]!;
    const columns = rows.get(row) ?? new Map<number, boolean>();
    rows.set(row, columns);
    const known = columns.get(column);
    if (known === true || known === isFormula) return false;
    columns.set(column, isFormula);
    return true;
  }
}

/**
 * Formulas beside which another value is stored than in that place before, or none: they came there with a cell that was sorted or cut, or
 * were never calculated. What they come to is to be told also where the formula before came to the same.
 */
function otherwiseStored(before: Workbook, after: Workbook): CalculatedPlace[] {
  const places: CalculatedPlace[] = [];
  for (const [at, { id, grid }] of after.sheets.entries()) {
    const earlier = before.sheets[at]!.grid;
    for (const [from, to] of Grid.differences(earlier, grid)) {
      for (const [row, { columns, cells }] of grid.rows(from, to)) {
        for (const [index, cell] of cells.entries()) {
          const column = columns[index]!;
          const isKnown =
            cell.value !== null && sameValue(cell.value, cellIn(earlier.row(row), column).value);
          if (isCalculated(cell) && !isKnown) places.push({ sheet: id, row, column });
        }
      }
    }
  }
  return places;
}

/** A workbook with the cells that are needed alone, most of them with their values in the place of formulas. */
function reduced(workbook: Workbook, needed: Needed): Workbook {
  const sheets = workbook.sheets.map((sheet, at) => ({
    ...sheet,
    grid: sheet.grid.mapRows((row, place) => reducedRow(row, needed[at]!.get(place))),
  }));
  return { ...workbook, sheets };
}

function reducedRow({ line, columns, cells }: Row, needed: ReadonlyMap<number, boolean> | undefined): Row {
  if (!needed) return { line, columns: [], cells: [] };
  const row: { columns: number[]; cells: Cell[] } = { columns: [], cells: [] };
  for (const [at, column] of columns.entries()) {
    const isFormula = needed.get(column);
    if (isFormula === undefined) continue;
    const cell = cells[at]!;
    row.columns.push(column);
    row.cells.push(isFormula || cell.formula === null ? cell : { ...cell, formula: null });
  }
  return { line, ...row };
}
