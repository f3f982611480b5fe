import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { CellContent } from '../calculation.ts';
import { compileEngine } from '../engine-instance.ts';
import { openCalculation } from '../workbook-calculation.ts';

const module = compileEngine(readFileSync(new URL('../engine/calculation.wasm', import.meta.url)));
const SIZE = 3;

/** First row, first column, last row, last column. */
type Area = readonly [number, number, number, number];
interface Term {
  readonly text: string;
  /** What it reads, whatever stands there. */
  readonly reads?: Area;
}
interface Formula {
  readonly row: number;
  readonly column: number;
  readonly terms: readonly Term[];
  readonly kind: 'single' | 'dynamic';
}

const place = fc.integer({ min: 1, max: SIZE });
const nameOf = (row: number, column: number) => `${'ABC'[column - 1]}${row}`;
const cell = fc
  .tuple(place, place)
  .map(([row, column]): Term => ({ text: nameOf(row, column), reads: [row, column, row, column] }));
const range = fc.tuple(place, place, place, place).map(([a, b, c, d]): Term => {
  const reads: Area = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return { text: `SUM(${nameOf(reads[0], reads[1])}:${nameOf(reads[2], reads[3])})`, reads };
});
const special = fc.constantFrom<Term>(
  { text: '1' },
  { text: 'Cell', reads: [1, 1, 1, 1] },
  { text: 'SUM(Block)', reads: [1, 1, 2, 2] },
  { text: 'SUM(Tab[p])', reads: [2, 1, 3, 1] },
  { text: 'SUM(Tab[[p]:[q]])', reads: [2, 1, 3, 2] },
  { text: 'SUM(A:A)', reads: [1, 1, SIZE, 1] },
  { text: 'SUM(Sheet1!B1:C1)', reads: [1, 2, 1, 3] },
  { text: 'SUM(INDEX(A1:C3,0,2))', reads: [1, 2, 3, 2] },
  { text: 'COUNTIF(B1:B3,">0")', reads: [1, 2, 3, 2] },
  { text: 'SUMPRODUCT((A2:B3>0)*1)', reads: [2, 1, 3, 2] },
  { text: 'IFERROR(C2,1)', reads: [2, 3, 2, 3] },
  { text: 'LET(x,B2,x+1)', reads: [2, 2, 2, 2] },
  { text: 'LAMBDA(x,x+1)(C3)', reads: [3, 3, 3, 3] },
);
const formula: fc.Arbitrary<Formula> = fc.record({
  row: place,
  column: place,
  terms: fc.array(fc.oneof(cell, cell, range, special), { minLength: 1, maxLength: 3 }),
  kind: fc.constantFrom('single', 'dynamic'),
});

const keyOf = ({ row, column }: { row: number; column: number }) => `${row}:${column}`;

/** The formulas from which a way leads back to themselves. */
function onCircles(book: ReadonlyMap<string, Formula>): string[] {
  const formulas = [...book.values()];
  const reads = ({ terms }: Formula, { row, column }: Formula) =>
    terms.some(
      ({ reads: area }) => area && row >= area[0] && row <= area[2] && column >= area[1] && column <= area[3],
    );
  const returns = (first: Formula): boolean => {
    const seen = new Set<Formula>();
    const open = [first];
    for (let one = open.pop(); one; one = open.pop()) {
      for (const next of formulas) {
        if (!reads(one, next) || seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
    }
    return seen.has(first);
  };
  return formulas.filter(returns).map(keyOf).sort();
}

/** Whether all formulas on circles are called circular, and no others, in workbooks that are opened and then changed. */
export function expectAllOnCirclesMarked(numRuns: number): void {
  const formulas = fc.array(formula, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(formulas, fc.array(formula, { maxLength: 3 }), (begin, later) => {
      const book = new Map(begin.map((one) => [keyOf(one), one]));
      const contentOf = (one: Formula | undefined): CellContent =>
        one ? { formula: one.terms.map(({ text }) => text).join('+'), kind: one.kind } : null;
      const change = (one: Formula) => ({ ...one, sheet: 0, content: contentOf(one) });
      const calculation = openCalculation(module, {
        sheets: ['Sheet1'],
        names: [
          { name: 'Cell', formula: 'Sheet1!$A$1' },
          { name: 'Block', formula: 'Sheet1!$A$1:$B$2' },
        ],
        tables: [
          {
            ...{ name: 'Tab', sheet: 0, firstRow: 1, firstColumn: 1, lastRow: 3, lastColumn: 2 },
            ...{ headerRows: 1, totalsRows: 0, columns: ['p', 'q'] },
          },
        ],
        ...{ from1904: false, iterates: false },
        changes: () => [...book.values()].map(change),
        content: (_sheet, row, column) => contentOf(book.get(keyOf({ row, column }))),
      });
      const marked = () => {
        calculation.recalculate({ timeMs: 0, timeZone: 'UTC', seed: 1 });
        return [...calculation.staleCells()].map(keyOf).sort();
      };
      expect(marked()).toEqual(onCircles(book));
      for (const one of later) {
        book.set(keyOf(one), one);
        calculation.apply([change(one)]);
        expect(marked()).toEqual(onCircles(book));
      }
    }),
    { numRuns },
  );
}
