import {
  type CellValue as CalculatedValue,
  type Workbook as CalculatedWorkbook,
  type Change,
  type DefinedName,
  isFormula,
  type Moment,
  type Table,
} from '../calculation/calculation.ts';
import type { Conventions } from '../calculation/conventions.ts';
import { type LinkedName, linkedKey } from '../calculation/linked-sheets.ts';
import {
  calculatedContent,
  calculatedValue,
  cellDifferences,
  filters,
  hiddenDifference,
  hiddenOf,
  holdSame,
  withoutSpilled,
} from './calculated-contents.ts';
import { sameContent } from './cell.ts';
import { conventionsOf } from './formats/region-conventions.ts';
import { Grid } from './grid.ts';
import { booksOf, type LinkedSheet } from './linked-book.ts';
import type { MovedSheet, MovedSheets } from './moved-sheets.ts';
import { emptyRow } from './row.ts';
import { itemsOf, namesOf, type Sheet, sheetNamed, type Workbook } from './workbook.ts';

/** What a calculation begins with, besides the cells. */
export interface CalculationFrame {
  /** Behind those of the workbook the sheets of other workbooks of which something is known. */
  readonly sheets: readonly { readonly id: string; readonly name: string }[];
  readonly linked?: CalculatedWorkbook['linked'];
  readonly names: readonly DefinedName[];
  readonly tables: readonly Table[];
  readonly conventions: Conventions;
  readonly from1904: boolean;
  readonly iterates: boolean;
}

/** What a `CalculationHost` is told, in this order; it can go to another thread. */
export interface CalculationRequest {
  /** Everything that was told before is forgotten. */
  readonly frame?: CalculationFrame;
  readonly changes: readonly Change[];
  /** Calculates as of this moment; without it more follows. */
  readonly moment?: Moment;
}

/** A message has at most so many changes, so that neither thread is held up for long. */
const changesAtOnce = 10_000;

/** Tells a calculation, which may be in another thread, about the versions of a workbook: what differs, or everything. */
export class CalculationFeed {
  readonly #region: string;
  readonly #movedSheets: () => MovedSheets | undefined;
  /** What the calculation knows; null while it knows nothing. */
  #told: Workbook | null = null;
  /** Formulas that are left as they are stored: the engine does not come to an end with them. */
  readonly #endless = new Set<string>();
  /** Whether a formula uses a name that programs keep for themselves. */
  #usesReserved = false;
  /** Formulas of the last version that was told. */
  #toldFormulas = new Set<string>();

  /**
   * @param region how texts become numbers and numbers texts in a workbook that does not say it
   * @param movedSheets finds rows that were put in or taken out, which then are told as such: whoever takes the answers moves what they
   *   were before. Where there is none yet, cells are told one by one
   */
  constructor(region: string, movedSheets: () => MovedSheets | undefined = () => undefined) {
    this.#region = region;
    this.#movedSheets = movedSheets;
  }

  /** Requests that bring a calculation to a version of the workbook, and have it calculated. */
  *next(workbook: Workbook): Generator<CalculationRequest> {
    const before = this.#told;
    const region = this.#regionOf(workbook);
    const isNew =
      before === null ||
      !sameFrame(before, workbook, this.#usesReserved ? sameItems : sameNames) ||
      this.#regionOf(before) !== region;
    this.#told = workbook;
    if (isNew) this.#usesReserved = [...namesOf(workbook).values()].some(mentionsReserved);
    const usedReserved = isNew || this.#usesReserved;
    this.#toldFormulas = new Set();
    let frame = isNew ? frameOf(workbook, region) : undefined;
    let changes: Change[] = [];
    for (const change of isNew ? contentsOf(workbook) : this.#changesSince(before, workbook)) {
      changes.push(this.#bounded(change));
      if (!usedReserved && this.#usesReserved) {
        // Those that it knows may be others by now.
        this.forget();
        yield* this.next(workbook);
        return;
      }
      if (changes.length < changesAtOnce) continue;
      yield { ...(frame && { frame }), changes };
      [frame, changes] = [undefined, []];
    }
    const { timeMs, seed } = workbook.volatile;
    // Times are those of the clocks on people's walls.
    yield { ...(frame && { frame }), changes, moment: { timeMs, seed, timeZone: 'UTC' } };
  }

  /**
   * To be called when the calculation did not come to an end and was stopped: from now on formulas that were told last are left
   * as they are stored, and everything is told anew. False: nothing is known that could be left out.
   */
  leaveOut(): boolean {
    this.#told = null;
    const suspects = [...this.#toldFormulas].filter((formula) => !this.#endless.has(formula));
    if (suspects.length === 0 || suspects.length > mostSuspects) return false;
    for (const formula of suspects) this.#endless.add(formula);
    return true;
  }

  /** To be called when the calculation was stopped for another reason than what it was told: everything is told anew. */
  forget(): void {
    this.#told = null;
  }

  /** Whether a formula is left out. */
  isEndless(formula: string): boolean {
    return this.#endless.has(formula);
  }

  *#changesSince(before: Workbook, workbook: Workbook): Generator<Change> {
    const moved = this.#movedSheets()?.(before, workbook) ?? noMovedSheets;
    for (const { moves } of moved.values()) yield* moves;
    yield* differences(before, workbook, moved);
  }

  #regionOf({ volatile }: Workbook): string {
    return volatile.region ?? this.#region;
  }

  #bounded(change: Change): Change {
    if (!('content' in change) || !isFormula(change.content)) return change;
    const { formula, stored = null } = change.content;
    this.#usesReserved ||= mentionsReserved(change.content);
    if (this.#endless.has(formula)) return { ...change, content: stored };
    this.#toldFormulas.add(formula);
    return change;
  }
}

const noMovedSheets: ReadonlyMap<number, MovedSheet> = new Map();

/** Of so many formulas at most it is believed that one of them is to blame. */
const mostSuspects = 1_000;

/** Whether there is anything to calculate. */
export const hasFormulas = ({ sheets }: Workbook): boolean =>
  sheets.some(({ grid }) => grid.formulaCount > 0);

function frameOf(workbook: Workbook, region: string): CalculationFrame {
  const { sheets, properties } = workbook;
  const linked = linkedSheets(workbook);
  return {
    sheets: [
      ...sheets.map(({ id, properties: { name } }) => ({ id, name })),
      ...linked.map(({ book, name }, at) => ({ id: `[${book}]${name}`, name: engineName(workbook, at) })),
    ],
    ...(linked.length > 0 && {
      linked: {
        sheets: linked.map(({ book, name, cells }, at) => ({
          ...{ book, name, sheet: sheets.length + at, known: knownKeys(cells) },
        })),
        names: linkedNames(workbook),
      },
    }),
    names: [...namesOf(workbook).values()].map(({ name, formula, scope }) => {
      const sheet = sheets.findIndex(({ id }) => id === scope);
      return { name, formula, ...(sheet >= 0 && { sheet }) };
    }),
    tables: sheets.flatMap(tablesOf),
    conventions: conventionsOf(region),
    from1904: properties.date1904 === true,
    iterates: properties.calculation?.iterates === true,
  };
}

function* contentsOf(workbook: Workbook): Generator<Change> {
  const { sheets } = workbook;
  for (const [number, sheet] of sheets.entries()) {
    const isFiltering = filters(sheet);
    for (const [place, row] of sheet.grid.rows()) {
      yield* hiddenDifference(number, place, null, hiddenOf(row, isFiltering));
      yield* cellDifferences(number, place, emptyRow, row);
    }
  }
  for (const [at, { cells }] of linkedSheets(workbook).entries())
    yield* linkedDifferences(sheets.length + at, [], cells);
}

/** Sheets of other workbooks of which something is known: of the others formulas keep what they have stored. */
function linkedSheets(workbook: Workbook): (LinkedSheet & { readonly book: string })[] {
  return [...booksOf(workbook)].flatMap(([book, { sheets }]) =>
    sheets.filter(({ cells }) => cells.length > 0).map((sheet) => ({ book, ...sheet })),
  );
}

function linkedNames(workbook: Workbook): LinkedName[] {
  return [...booksOf(workbook)].flatMap(([book, { names = [] }]) => names.map((one) => ({ book, ...one })));
}

/** What the engine calls a sheet of another workbook: as no sheet of this one is called. */
function engineName(workbook: Workbook, at: number): string {
  let name = `linked ${at + 1}`;
  while (sheetNamed(workbook, name)) name += '_';
  return name;
}

const keyOf = ([row, column]: LinkedSheet['cells'][number]): number => linkedKey(row + 1, column + 1);

const knownKeys = (cells: LinkedSheet['cells']): number[] =>
  [...new Set(cells.map(keyOf))].sort((a, b) => a - b);

function* linkedDifferences(
  sheet: number,
  before: LinkedSheet['cells'],
  after: LinkedSheet['cells'],
): Generator<Change> {
  const old = new Map(before.map((cell) => [keyOf(cell), cell[2]]));
  const now = new Map(after.map((cell) => [keyOf(cell), cell]));
  for (const [key, [row, column, value]] of now) {
    const content = calculatedValue(value);
    const was = old.has(key) ? calculatedValue(old.get(key)!) : null;
    if (!sameCalculated(was, content)) yield { sheet, row: row + 1, column: column + 1, content };
  }
}

const sameCalculated = (one: CalculatedValue | null, other: CalculatedValue | null): boolean =>
  one === other ||
  (typeof one === 'object' &&
    typeof other === 'object' &&
    one !== null &&
    other !== null &&
    one.error === other.error);

/** The tables of a sheet, for calculation. */
export function tablesOf(sheet: Sheet, index: number): Table[] {
  return [...itemsOf(sheet, 'table').values()].map(({ area, name, hasHeader, hasTotals, columns }) => ({
    name,
    sheet: index,
    firstRow: area[0] + 1,
    firstColumn: area[1] + 1,
    lastRow: area[2] + 1,
    lastColumn: area[3] + 1,
    headerRows: hasHeader ? 1 : 0,
    totalsRows: hasTotals ? 1 : 0,
    columns: columns.map((column) => column.name),
  }));
}

const sameItems = (one: Workbook, other: Workbook): boolean => one.items.name === other.items.name;

/** Names that programs keep for themselves: what is printed, titles of pages, what is filtered. */
const reserved = '_xlnm.';

const mentionsReserved = ({ formula }: { readonly formula: string }): boolean =>
  formula.toLowerCase().includes(reserved);

/** Whether the names are the same that people give. */
function sameNames(one: Workbook, other: Workbook): boolean {
  if (sameItems(one, other)) return true;
  const [before, after] = [one, other].map((workbook) =>
    [...namesOf(workbook).values()].filter(({ name }) => !name.toLowerCase().startsWith(reserved)),
  ) as [unknown[], unknown[]];
  return before.length === after.length && before.every((name, at) => name === after[at]);
}

/**
 * Whether what a calculation is opened with is the same.
 * @param areNamesSame whether the names are, as far as they count
 */
export function sameFrame(one: Workbook, other: Workbook, areNamesSame = sameItems): boolean {
  return (
    one.sheets.length === other.sheets.length &&
    areNamesSame(one, other) &&
    sameLinked(one, other) &&
    one.properties.date1904 === other.properties.date1904 &&
    one.sheets.every((sheet, index) => {
      const now = other.sheets[index]!;
      return (
        sheet.id === now.id &&
        sheet.properties.name === now.properties.name &&
        sheet.items.table === now.items.table
      );
    })
  );
}

/** Whether the same cells of other workbooks are known, whatever their values. */
function sameLinked(one: Workbook, other: Workbook): boolean {
  if (one.items.book === other.items.book) return true;
  const [before, after] = [linkedSheets(one), linkedSheets(other)];
  return (
    before.length === after.length &&
    before.every((sheet, at) => {
      const now = after[at]!;
      if (sheet.book !== now.book || sheet.name !== now.name) return false;
      if (sheet.cells === now.cells) return true;
      const [known, knownNow] = [knownKeys(sheet.cells), knownKeys(now.cells)];
      return known.length === knownNow.length && known.every((key, index) => key === knownNow[index]);
    }) &&
    JSON.stringify(linkedNames(one)) === JSON.stringify(linkedNames(other))
  );
}

/**
 * What a calculation of one version is told so that it is one of the other; their frames are the same.
 * @param moved sheets of which it has been told how their rows have moved
 */
export function* differences(one: Workbook, other: Workbook, moved = noMovedSheets): Generator<Change> {
  if (one.items.book !== other.items.book) {
    const before = linkedSheets(one);
    for (const [at, { cells }] of linkedSheets(other).entries()) {
      if (cells !== before[at]!.cells)
        yield* linkedDifferences(other.sheets.length + at, before[at]!.cells, cells);
    }
  }
  for (const [number, sheet] of other.sheets.entries()) {
    const before = one.sheets[number]!;
    const movedSheet = moved.get(number);
    if (movedSheet) {
      yield* movedSheet.changes;
      continue;
    }
    const filtering = [filters(before), filters(sheet)] as const;
    const isOtherwiseHidden = filtering[0] !== filtering[1];
    if (isOtherwiseHidden) yield* hiddenDifferences(number, before.grid, sheet.grid, filtering);
    if (sheet.grid === before.grid) continue;
    const changes: Change[] = [];
    for (const [from, to] of Grid.differences(before.grid, sheet.grid)) {
      for (let place = from; place <= to; place++) {
        const [old, now] = [before.grid.row(place) ?? emptyRow, sheet.grid.row(place) ?? emptyRow];
        if (old === now) continue;
        if (!isOtherwiseHidden) {
          const [was, is] = [hiddenOf(old, filtering[0]), hiddenOf(now, filtering[1])];
          changes.push(...hiddenDifference(number, place, was, is));
        }
        if (!holdSame(old, now)) changes.push(...cellDifferences(number, place, old, now));
      }
    }
    changes.push(...leftBehind(changes, before.grid, sheet.grid));
    yield* withoutSpilled(changes);
  }
}

/** All rows, as a filter that begins or ends concerns those that are hidden for another reason, too. */
function* hiddenDifferences(
  sheet: number,
  before: Grid,
  grid: Grid,
  [wasFiltering, isFiltering]: readonly [boolean, boolean],
): Generator<Change> {
  const was = new Map([...before.rows()].map(([place, row]) => [place, hiddenOf(row, wasFiltering)]));
  for (const [place, row] of grid.rows()) {
    yield* hiddenDifference(sheet, place, was.get(place) ?? null, hiddenOf(row, isFiltering));
    was.delete(place);
  }
  for (const [place, hidden] of was) yield* hiddenDifference(sheet, place, hidden, null);
}

/** Arrays may lie over each other, each as large as a sheet. */
const mostLooks = 10_000_000;

/** Values in cells that an array of old has filled, which is not there any more: what was its value is content now. */
function leftBehind(changes: readonly Change[], before: Grid, grid: Grid): Change[] {
  const left: Change[] = [];
  let looks = 0;
  for (const change of changes) {
    if (!('content' in change) || looks > mostLooks) continue;
    const { sheet, row, column } = change;
    const span = before.cell(row - 1, column - 1).formula?.span;
    if (span?.kind !== 'array') continue;
    for (const [place, { columns, cells }] of grid.rows(row - 1, row + span.rows - 2)) {
      looks += columns.length;
      for (const [at, there] of columns.entries()) {
        if (there < column - 1 || there >= column - 1 + span.columns) continue;
        const content = calculatedContent(cells[at]!);
        if (content !== null && sameContent(before.cell(place, there), cells[at]!))
          left.push({ sheet, row: place + 1, column: there + 1, content });
      }
    }
  }
  return left;
}
