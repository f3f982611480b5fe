import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { CellContent, CellValue } from '../../model/calculation/calculation.ts';
import { compileEngine } from '../../model/calculation/engine-instance.ts';
import { openCalculation } from '../../model/calculation/workbook-calculation.ts';
import type { RangeCall } from '../support/formulas/whole-columns.ts';

const engine = compileEngine(
  readFileSync(new URL('../../model/calculation/engine/calculation.wasm', import.meta.url)),
);
const filled = 100;
const wholeAt = 30;
const partAt = 31;
/** To these it matters how many cells there are, or that some are empty. */
const countsCells = new Set(
  'ARRAYTOTEXT COUNTBLANK OFFSET ROWS TEXTAFTER TEXTBEFORE TEXTJOIN WRAPCOLS'.split(' '),
);

/** The values of calls with `A:A`, and with the hundred cells of it that are filled, each as an array formula of one cell. */
function calculated(calls: readonly RangeCall[]): {
  whole: (CellValue | undefined)[];
  part: (CellValue | undefined)[];
  stale: string[];
} {
  const words = ['x', 'y', true, 'z'];
  const cell = (row: number, column: number, content: CellContent) => ({ sheet: 0, row, column, content });
  const array = (formula: string): CellContent => ({ formula, kind: 'array', rows: 1, columns: 1 });
  const cells = [
    ...Array.from({ length: filled }, (_, at) => cell(at + 1, 1, words[at - 96] ?? (at * 37) % 101)),
    ...Array.from({ length: 12 }, (_, at) => cell(at + 1, 2, at * 1.5)),
    ...calls.map((call, at) => cell(at + 1, wholeAt, array(call.with('A:A')))),
    ...calls.map((call, at) => cell(at + 1, partAt, array(call.with(`A1:A${filled}`)))),
  ];
  const contents = new Map(cells.map((one) => [`${one.row}:${one.column}`, one.content]));
  const calculation = openCalculation(engine, {
    ...{ sheets: ['Sheet1'], names: [{ name: 'Rate', formula: '0.05' }], tables: [] },
    ...{ from1904: false, iterates: false },
    changes: () => cells,
    content: (_sheet, row, column) => contents.get(`${row}:${column}`) ?? null,
  });
  calculation.recalculate({ timeMs: 0, timeZone: 'UTC', seed: 7 });
  const values = new Map(calculation.changed().map(({ row, column, value }) => [`${row}:${column}`, value]));
  const of = (column: number) => calls.map((_, at) => values.get(`${at + 1}:${column}`) ?? undefined);
  const stale = [...calculation.staleCells()].map(({ row, why }) => `${calls[row - 1]!.with('A:A')}: ${why}`);
  return { whole: of(wholeAt), part: of(partAt), stale };
}

/** That calls take whole columns: within their steps, and as the filled cells of them. */
export function expectWholeColumns(calls: readonly RangeCall[]): void {
  const { whole, part, stale } = calculated(calls);
  expect(stale).toEqual([]);
  const told = (value: CellValue | undefined) =>
    typeof value === 'object' && value !== null ? value.error : value;
  const strange = calls.filter((_, at) => /^#(N.IMPL|ERROR|NAME)/.test(String(told(whole[at]))));
  expect(strange.map((call) => call.with('A:A'))).toEqual([]);
  const others = calls.flatMap((call, at) => {
    const isOther = told(whole[at]) !== told(part[at]) && !countsCells.has(call.name);
    return isOther ? [`${call.with('A:A')}: ${told(whole[at])}, not ${told(part[at])}`] : [];
  });
  expect(others).toEqual([]);
}
