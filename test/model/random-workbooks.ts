import fc from 'fast-check';
import type { CellContent, Change, Workbook } from '../../model/calculation/calculation.ts';

/** What is put into a workbook, and the seed of its chance. */
export interface RandomWorkbook {
  readonly seed: number;
  readonly changes: readonly Change[];
}

const ROWS = 12;
/** Most read what is typed in, which stands in A and B, so that few formulas are circular. */
const letter = fc.constantFrom(...'ABABABABABCD');
const cell = fc.tuple(letter, fc.integer({ min: 1, max: ROWS })).map(([column, row]) => column + row);
const range = fc.tuple(cell, cell).map(([one, other]) => `${one}:${other}`);
const ofOne = fc.constantFrom(
  ...['SIN', 'COS', 'TAN', 'ATAN', 'EXP', 'LN', 'LOG10', 'SQRT', 'TANH', 'ASINH', 'GAMMALN', 'ERF', 'FACT'],
  ...['NORM.S.INV', 'GAUSS', 'PHI', 'FISHER', 'DEGREES', 'INT', 'TEXT0', 'VALUE', 'LEN', 'ISNUMBER', 'ABS'],
);
const ofRange = fc.constantFrom(
  ...['SUM', 'AVERAGE', 'STDEV', 'VAR.P', 'MEDIAN', 'GEOMEAN', 'HARMEAN', 'SKEW', 'KURT', 'DEVSQ', 'PRODUCT'],
  ...['MAX', 'COUNT', 'SUMSQ', 'AVEDEV', 'IRR', 'SUBTOTAL9'],
);
const called = (name: string, inside: string): string => {
  if (name === 'TEXT0') return `TEXT(${inside},"#,##0.00;[Red]-0.0E+0")`;
  return name === 'SUBTOTAL9' ? `SUBTOTAL(9,${inside})` : `${name}(${inside})`;
};
const formula = fc.oneof(
  fc.tuple(ofOne, cell).map(([name, one]) => called(name, one)),
  fc.tuple(ofRange, range).map(([name, many]) => called(name, many)),
  fc.tuple(cell, fc.constantFrom('+', '-', '*', '/', '^', '&', '<'), cell).map((parts) => parts.join('')),
  fc.tuple(cell, cell).map(([a, b]) => `T.DIST(${a},ABS(${b})+1,TRUE)`),
  fc.tuple(cell, cell).map(([a, b]) => `GAMMA.DIST(ABS(${a}),ABS(${b})+0.5,2,TRUE)`),
  fc.tuple(cell, cell).map(([a, b]) => `PMT(ABS(${a})/1200,ABS(${b})+1,1000)`),
  fc.tuple(range, cell).map(([many, one]) => `COUNTIF(${many},">"&${one})+SUMIF(${many},${one})`),
  fc.tuple(range, range).map(([one, other]) => `SUMPRODUCT(${one}*1,${other}*1)`),
  fc.tuple(cell, cell, cell).map(([a, b, c]) => `IFERROR(IF(${a}>${b},${c},${b}/${a}),RAND())`),
  fc.constantFrom('RAND()', 'NOW()*RANDBETWEEN(1,9)', 'TODAY()', 'RANDARRAY(2,2)', 'LINEST(A1:A5,B1:B5)'),
);
const typed: fc.Arbitrary<CellContent> = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: -1e4, max: 1e4, noNaN: true }) },
  { weight: 6, arbitrary: fc.integer({ min: -5, max: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom<CellContent>('x', '1.5', true, '3/4/2026', { error: '#N/A' }) },
);
const calculated = formula.map((text) => ({ formula: text, kind: 'dynamic' }) as const);
const inColumns = (first: number, content: fc.Arbitrary<CellContent>) =>
  fc.uniqueArray(
    fc.record({
      sheet: fc.constant(0),
      row: fc.integer({ min: 1, max: ROWS }),
      column: fc.integer({ min: first, max: first + 1 }),
      content,
    }),
    { minLength: 10, maxLength: 20, selector: ({ row, column }) => `${row}:${column}` },
  );

export const workbook: fc.Arbitrary<RandomWorkbook> = fc
  .tuple(fc.nat(), inColumns(1, typed), inColumns(3, calculated))
  .map(([seed, typedIn, formulas]) => ({ seed, changes: [...typedIn, ...formulas] }));

/** What calculates: the parts of `model/calculation`, as one object. */
export type Calculating = Pick<typeof import('../../model/calculation/engine-instance.ts'), 'compileEngine'> &
  Pick<typeof import('../../model/calculation/workbook-calculation.ts'), 'openCalculation'>;

/**
 * What each workbook comes to: the place of each cell and its value, a number by its bits. Pages are given it as text, so it knows
 * nothing that is not within it.
 *
 * @param engine the bytes of the engine, in base64
 */
export function valuesOf(
  { compileEngine, openCalculation }: Calculating,
  { engine, workbooks }: { readonly engine: string; readonly workbooks: readonly RandomWorkbook[] },
): string[][] {
  const module = compileEngine(Uint8Array.from(atob(engine), (character) => character.charCodeAt(0)));
  const written = (value: unknown) =>
    typeof value === 'number'
      ? new BigUint64Array(Float64Array.of(value).buffer)[0]!.toString(16)
      : JSON.stringify(value);
  return workbooks.map(({ seed, changes }) => {
    const content: Workbook['content'] = (_sheet, row, column) => {
      const found = changes.find((one) => 'content' in one && one.row === row && one.column === column);
      return found && 'content' in found ? found.content : null;
    };
    const calculation = openCalculation(module, {
      ...{ sheets: ['Sheet'], names: [], tables: [], from1904: false, iterates: false },
      changes: () => changes,
      content,
    });
    calculation.recalculate({ timeMs: 1_772_600_767_000, timeZone: 'Europe/Berlin', seed });
    const values = calculation
      .changed()
      .map(({ row, column, value }) => `${row}:${column} ${written(value)}`);
    const stale = [...calculation.staleCells()].map(({ row, column, why }) => `${row}:${column} ${why}`);
    return [...values, ...stale].sort();
  });
}
