import { readFileSync } from 'node:fs';
import path from 'node:path';
import { compileEngine } from '../../model/calculation/engine-instance.ts';
import { CalculationFeed } from '../../model/cell/calculation-feed.ts';
import { type CalculationAnswer, CalculationHost } from '../../model/cell/calculation-host.ts';
import { type CellValue, isErrorValue } from '../../model/cell/values.ts';
import type { Sheet, Workbook } from '../../model/cell/workbook.ts';
import { packageRoot } from '../../platform/package-root.ts';

const engine = compileEngine(
  readFileSync(path.join(packageRoot, 'model', 'calculation', 'engine', 'calculation.wasm')),
);
/** Other workbooks, and what tells of the machine. */
const OUTSIDE = /\[\d+\]|\.xls|\b(?:CELL|INFO)\(/i;

/** The values of a workbook as a page calculates them. */
export class PageValues {
  readonly #feed = new CalculationFeed('en');
  readonly #host = new CalculationHost(engine, { mostStepsInAll: 60_000_000 });
  readonly #values = new Map<string, CellValue>();
  #changed = new Set<string>();
  #stale = new Map<string, string>();

  /** Brings the values to a version of the workbook. */
  take(workbook: Workbook): void {
    let answer: CalculationAnswer | null = null;
    for (const request of this.#feed.next(workbook)) answer = this.#host.take(request);
    this.#changed = new Set();
    for (const { sheet, row, column, value } of answer?.values ?? []) {
      const key = keyOf(sheet, row, column);
      this.#changed.add(key);
      this.#values.set(key, value);
    }
    this.#stale = new Map(
      (answer?.stale ?? []).map((cell) => [keyOf(cell.sheet, cell.row, cell.column), cell.why]),
    );
  }

  /** The value of a formula; undefined where it is not calculated. */
  of(sheet: string, row: number, column: number): CellValue | undefined {
    const key = keyOf(sheet, row, column);
    return this.#stale.has(key) ? undefined : this.#values.get(key);
  }

  staleness(sheet: string, row: number, column: number): string | undefined {
    return this.#stale.get(keyOf(sheet, row, column));
  }

  /** Whether the last version has another value there than the one before. */
  hasChanged(sheet: string, row: number, column: number): boolean {
    return this.#changed.has(keyOf(sheet, row, column));
  }
}

const keyOf = (sheet: string, row: number, column: number): string => `${row} ${column} ${sheet}`;

/** A cell with a formula. */
export interface FormulaCell {
  readonly sheet: string;
  readonly row: number;
  readonly column: number;
  readonly text: string;
  readonly value: CellValue;
}

/** The formulas of a sheet. */
export function* formulasOf({ id, grid }: Sheet): Generator<FormulaCell> {
  for (const [row, { cells, columns }] of grid.rows())
    for (const [at, { value, formula }] of cells.entries())
      if (formula && formula.span?.kind !== 'data')
        yield { sheet: id, row, column: columns[at]!, text: formula.text, value };
}

/** How many values of a workbook that was opened are calculated as they are stored, of those that can be told. */
export function storedValues(workbook: Workbook): { all: number; other: string[] } {
  const later = { ...workbook, volatile: { timeMs: Date.UTC(2031, 6, 4, 3), seed: 99 } };
  const now = { ...workbook, volatile: { timeMs: Date.UTC(2026, 0, 15, 12), seed: 1 } };
  const values = new PageValues();
  values.take(now);
  const first = new Map<FormulaCell, CellValue | undefined>();
  for (const sheet of workbook.sheets)
    for (const cell of formulasOf(sheet)) {
      const { row, column, text, value } = cell;
      const why = values.staleness(sheet.id, row, column);
      if (value === null || OUTSIDE.test(text) || why === 'unknown-function' || why === 'external') continue;
      first.set(cell, values.of(sheet.id, row, column));
    }
  values.take(later);
  const told = [...first].filter(([{ sheet, row, column }]) => !values.hasChanged(sheet, row, column));
  const other = told.filter(([cell, value]) => !areAlike(cell.value, value));
  return {
    all: told.length,
    other: other.map(
      ([{ row, column, text, value: stored }, value]) =>
        `R${row + 1}C${column + 1} =${text.slice(0, 120)}: stored ${JSON.stringify(stored)}, calculated ${JSON.stringify(value)}`,
    ),
  };
}

/** Whether two values are the same to a person; some programs store truths as numbers, and numbers as texts. */
export function areAlike(stored: CellValue, value: CellValue | undefined): boolean {
  if (value === undefined) return false;
  if (isErrorValue(stored) || isErrorValue(value))
    return isErrorValue(stored) && isErrorValue(value) && stored.e === value.e;
  if (typeof stored === 'number' && typeof value === 'number')
    return Math.abs(stored - value) <= 5e-8 * Math.max(1, Math.abs(stored));
  if (typeof stored === 'boolean') return Number(stored) === Number(value);
  if (typeof stored === 'string')
    return stored === String(value ?? '') || (stored !== '' && Number(stored) === value);
  return false;
}
