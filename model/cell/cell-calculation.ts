import {
  type CellValue as CalculatedValue,
  type Workbook as CalculatedWorkbook,
  type Calculation,
  type CellContent,
  type Change,
  isFormula,
  type Staleness,
  type Table,
} from '../calculation/calculation.ts';
import type { EngineModule } from '../calculation/engine-instance.ts';
import { openCalculation } from '../calculation/workbook-calculation.ts';
import type { Cell } from './cell.ts';
import { sameContent } from './cell.ts';
import { Grid } from './grid.ts';
import { noLine } from './lines.ts';
import { emptyRow, type Row } from './row.ts';
import { type CellValue, isErrorValue, textOfValue } from './values.ts';
import { itemsOf, namesOf, type Sheet, type Workbook } from './workbook.ts';

/** A calculated value: rows and columns count from 0, as in the model; null where nothing is spilled any more. */
export interface CalculatedCell {
  /** The id of the sheet. */
  readonly sheet: string;
  readonly row: number;
  readonly column: number;
  readonly value: CellValue;
}

export interface CalculationPlace {
  readonly locale: string;
  /** An IANA name. */
  readonly timeZone: string;
}

/** The calculation of a workbook of the model, kept in step with its versions. */
export class CellCalculation {
  readonly #engine: EngineModule;
  readonly #place: CalculationPlace;
  #workbook: Workbook;
  #calculation: Calculation;

  /** @param engine as `compileEngine` gives it */
  constructor(engine: EngineModule, workbook: Workbook, place: CalculationPlace) {
    this.#engine = engine;
    this.#place = place;
    this.#workbook = workbook;
    this.#calculation = this.#open();
  }

  /** Takes over another version. It costs what differs, or a new load where sheets, tables or names are others. */
  update(workbook: Workbook): void {
    const before = this.#workbook;
    this.#workbook = workbook;
    if (!sameFrame(before, workbook)) this.#calculation = this.#open();
    else this.#calculation.apply(differences(before, workbook));
  }

  /** Calculates as of the moment that the workbook has. Gives the values that are others than at the last call. */
  calculate(): CalculatedCell[] {
    const { timeMs, seed } = this.#workbook.volatile;
    this.#calculation.recalculate({ timeMs, seed, timeZone: this.#place.timeZone });
    return this.#calculation.changed().map(({ sheet, row, column, value }) => ({
      sheet: this.#workbook.sheets[sheet]!.id,
      row: row - 1,
      column: column - 1,
      value: modelValue(value),
    }));
  }

  /** Why a cell keeps its stored value; undefined where it is calculated. */
  stale(sheet: string, row: number, column: number): Staleness | undefined {
    const index = this.#workbook.sheets.findIndex(({ id }) => id === sheet);
    return this.#calculation.stale(index, row + 1, column + 1);
  }

  #open(): Calculation {
    const { sheets, properties } = this.#workbook;
    const current = () => this.#workbook;
    const calculated: CalculatedWorkbook = {
      sheets: sheets.map(({ properties: { name } }) => name),
      names: [...namesOf(this.#workbook).values()].map(({ name, formula, scope }) => {
        const sheet = sheets.findIndex(({ id }) => id === scope);
        return { name, formula, ...(sheet >= 0 && { sheet }) };
      }),
      tables: sheets.flatMap(tablesOf),
      locale: this.#place.locale,
      from1904: properties.date1904 === true,
      iterates: properties.calculation?.iterates === true,
      *changes() {
        for (const [sheet, { grid }] of current().sheets.entries()) {
          for (const [place, row] of grid.rows()) yield* rowDifferences(sheet, place, emptyRow, row);
        }
      },
      content: (sheet, row, column) => contentOf(current().sheets[sheet]!.grid.cell(row - 1, column - 1)),
    };
    return openCalculation(this.#engine, calculated);
  }
}

function tablesOf(sheet: Sheet, index: number): Table[] {
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

/** Whether what a calculation is opened with is the same. */
function sameFrame(one: Workbook, other: Workbook): boolean {
  return (
    one.sheets.length === other.sheets.length &&
    one.items.name === other.items.name &&
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

function* differences(one: Workbook, other: Workbook): Generator<Change> {
  for (const [sheet, { grid }] of other.sheets.entries()) {
    const before = one.sheets[sheet]!.grid;
    if (grid === before) continue;
    const changes: Change[] = [];
    for (const [from, to] of Grid.differences(before, grid)) {
      for (let place = from; place <= to; place++) {
        const [old, now] = [before.row(place) ?? emptyRow, grid.row(place) ?? emptyRow];
        if (old !== now) changes.push(...rowDifferences(sheet, place, old, now));
      }
    }
    yield* withoutSpilled(changes);
  }
}

/** Values within what a formula among the changes fills came there with it: they are no content. */
function withoutSpilled(changes: readonly Change[]): readonly Change[] {
  const filled = changes.flatMap((change) =>
    'content' in change && isFormula(change.content) && change.content.rows !== undefined
      ? [{ ...change, rows: change.content.rows, columns: change.content.columns ?? 1 }]
      : [],
  );
  if (filled.length === 0) return changes;
  return changes.filter(
    (change) =>
      !('content' in change) ||
      change.content === null ||
      isFormula(change.content) ||
      !filled.some(
        ({ row, column, rows, columns }) =>
          change.row >= row &&
          change.row < row + rows &&
          change.column >= column &&
          change.column < column + columns,
      ),
  );
}

function* rowDifferences(sheet: number, place: number, one: Row, other: Row): Generator<Change> {
  const row = place + 1;
  const [before, hidden] = [hiddenOf(one), hiddenOf(other)];
  if (before !== hidden) yield { sheet, row, hidden };
  let [a, b] = [0, 0];
  while (a < one.columns.length || b < other.columns.length) {
    const column = Math.min(one.columns[a] ?? Infinity, other.columns[b] ?? Infinity);
    const old = one.columns[a] === column ? one.cells[a++]! : undefined;
    const now = other.columns[b] === column ? other.cells[b++]! : undefined;
    if (old === now || (old && now && sameContent(old, now))) continue;
    const content = now ? contentOf(now) : null;
    if (content !== null || (old && contentOf(old) !== null))
      yield { sheet, row, column: column + 1, content };
  }
}

function hiddenOf({ line }: Row): 'by-hand' | 'by-filter' | null {
  if (line === noLine) return null;
  if (line.filtered) return 'by-filter';
  return line.hidden ? 'by-hand' : null;
}

function contentOf({ formula, value }: Cell): CellContent {
  const plain = calculatedValue(value);
  // What a data table calculates stays as the file has it.
  if (formula === null || formula.span?.kind === 'data') return plain;
  const { span, text } = formula;
  return {
    formula: text,
    kind: span === null ? 'single' : (span.kind as 'array' | 'dynamic'),
    ...(span !== null && { rows: span.rows, columns: span.columns }),
    ...(plain !== null && { stored: plain }),
  };
}

function calculatedValue(value: CellValue): CalculatedValue | null {
  if (value === null || typeof value !== 'object') return value;
  return isErrorValue(value) ? { error: value.e } : textOfValue(value);
}

function modelValue(value: CalculatedValue | null): CellValue {
  return typeof value === 'object' && value !== null ? { e: value.error } : value;
}
