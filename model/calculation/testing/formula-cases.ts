import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CellContent, Table, Workbook } from '../calculation.ts';
import { compileEngine } from '../engine-instance.ts';
import { cellOf } from '../formula-tokens.ts';
import { openCalculation } from '../workbook-calculation.ts';

const module = compileEngine(readFileSync(new URL('../engine/calculation.wasm', import.meta.url)));

export type Cells = Readonly<Record<string, string | number | boolean>>;

export interface Given {
  /** Texts that begin with an equals sign are formulas. */
  readonly cells?: Cells;
  readonly at?: string;
  readonly kind?: 'single' | 'dynamic';
  readonly names?: Workbook['names'];
  readonly tables?: readonly Table[];
}

/** What a formula comes to in a cell beside others; `'#N/A'` and its kin for errors. */
export function calculated(
  formula: string,
  { cells = {}, at = 'H20', kind = 'dynamic', names = [], tables = [] }: Given,
): unknown {
  const contents = new Map<string, CellContent>();
  for (const [address, value] of Object.entries(cells)) {
    const isFormula = typeof value === 'string' && value.startsWith('=');
    contents.set(address, isFormula ? { formula: value.slice(1), kind: 'dynamic' } : value);
  }
  contents.set(at, { formula, kind });
  const changes = [...contents].map(([address, content]) => ({ sheet: 0, ...cellOf(address), content }));
  const place = cellOf(at);
  const calculation = openCalculation(module, {
    ...{
      sheets: ['Sheet1', '2024', '1月', 'My Sheet'],
      names,
      tables,
      from1904: false,
      iterates: false,
    },
    changes: () => changes,
    content: (_sheet, row, column) =>
      changes.find((change) => change.row === row && change.column === column)?.content ?? null,
  });
  calculation.recalculate({ timeMs: 0, timeZone: 'UTC', seed: 7 });
  const { value = null } =
    calculation.changed().find(({ row, column }) => row === place.row && column === place.column) ?? {};
  expect([...calculation.staleCells()]).toEqual([]);
  return typeof value === 'object' && value !== null ? Object.values(value)[0] : value;
}

export type Case = readonly [formula: string, expected: unknown, given?: Given];

/** One test for each formula and what it comes to. */
export function holds(title: string, given: Given, cases: readonly Case[]): void {
  describe(title, () => {
    for (const [formula, expected, own] of cases) {
      test(`${formula} comes to ${expected}, ${JSON.stringify(own ?? '')}`, () => {
        const value = calculated(formula, { ...given, ...own });
        if (typeof expected === 'number') expect(value).toBeCloseTo(expected, 9);
        else expect(value).toEqual(expected);
      });
    }
  });
}
