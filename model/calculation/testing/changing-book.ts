import { readFileSync } from 'node:fs';
import type { CellContent, CellValue, Moment, Workbook } from '../calculation.ts';
import { compileEngine } from '../engine-instance.ts';
import { openCalculation } from '../workbook-calculation.ts';

const module = compileEngine(readFileSync(new URL('../engine/calculation.wasm', import.meta.url)));
const moment: Moment = { timeMs: Date.UTC(2026, 2, 4, 5, 6, 7), timeZone: 'UTC', seed: 7 };

export interface Edit {
  sheet: number;
  row: number;
  column: number;
  content: CellContent;
}
export interface Hiding {
  sheet: number;
  row: number;
  hidden: 'by-hand' | null;
}
export type Step = Edit | Hiding;

const names = [
  { name: 'Rate', formula: 'One!$A$1' },
  { name: 'Rates', formula: 'One!$A$1:$A$4' },
  { name: 'Chance', formula: 'RAND()+One!$F$9' },
  { name: 'Twice', formula: 'LAMBDA(x,x*2+One!$B$1)' },
  { name: 'Here', sheet: 1, formula: 'LAMBDA(x,x+One!$C$6)' },
];

/** A workbook that changes, and its calculation. */
export class Book {
  readonly #cells = new Map<string, Edit>();
  readonly #hidden = new Map<string, Hiding>();
  readonly #values = new Map<string, CellValue>();
  readonly workbook: Workbook = {
    sheets: ['One', 'Two'],
    names,
    tables: [],
    from1904: false,
    iterates: false,
    changes: () => [...this.#hidden.values(), ...this.#cells.values()],
    content: (sheet, row, column) => this.#cells.get(`${sheet}:${row}:${column}`)?.content ?? null,
  };
  readonly #calculation = openCalculation(module, this.workbook);

  /** How many results are told. */
  change(steps: readonly Step[]): number {
    for (const step of steps) {
      if ('content' in step) this.#cells.set(`${step.sheet}:${step.row}:${step.column}`, step);
      else this.#hidden.set(`${step.sheet}:${step.row}`, step);
    }
    this.#calculation.apply(steps);
    return this.calculate();
  }

  /** How many results are told. */
  calculate(at = moment): number {
    this.#calculation.recalculate(at);
    const changed = this.#calculation.changed();
    for (const { sheet, row, column, value } of changed) {
      const key = `${sheet}:${row}:${column}`;
      if (value === null) this.#values.delete(key);
      else this.#values.set(key, value);
    }
    return changed.length;
  }

  value(sheet: number, row: number, column: number): CellValue | undefined {
    return this.#values.get(`${sheet}:${row}:${column}`);
  }

  /** Every calculated value, and why cells are stale. */
  shown(): Record<string, CellValue | string> {
    const shown: [string, CellValue | string][] = [...this.#values];
    for (const { sheet, row, column, why } of this.#calculation.staleCells()) {
      shown.push([`${sheet}:${row}:${column} stale`, why]);
    }
    return Object.fromEntries(shown.sort());
  }

  /** The same workbook, opened now. */
  reopened(): Book {
    const other = new Book();
    other.change([...this.#hidden.values(), ...this.#cells.values()]);
    return other;
  }
}

/** A formula of one cell. */
export const single = (formula: string): CellContent => ({ formula, kind: 'single' });
