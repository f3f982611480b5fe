import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { CellContent, CellValue } from '../../model/calculation/calculation.ts';
import { compileEngine } from '../../model/calculation/engine-instance.ts';
import { cellOf } from '../../model/calculation/formula-tokens.ts';
import { openCalculation } from '../../model/calculation/workbook-calculation.ts';
import { dataCells, dataNames } from '../support/formulas/data-cells.ts';
import { singleCalls } from '../support/formulas/single-values.ts';

const engine = compileEngine(
  readFileSync(new URL('../../model/calculation/engine/calculation.wasm', import.meta.url)),
);
const firstRow = 1000;
const firstColumn = 40;
/** Arrays of one element. */
const arrays: readonly ((value: string) => string)[] = [
  (value) => `_xlfn.TAKE(${value},1)`,
  (value) => `_xlfn.UNIQUE(${value})`,
  (value) => `_xlfn._xlws.FILTER(${value},TRUE)`,
  (value) => `_xlfn.CHOOSECOLS(${value},1)`,
  (value) => `INDEX(${value},1,1)`,
];
const twice = (value: string) => `_xlfn.HSTACK(${value},${value})`;

interface PlacedCell {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
  readonly content: CellContent;
}

/** The calculated values of cells, by row and column. */
function valuesOf(cells: readonly PlacedCell[]): Map<string, CellValue | null> {
  const contents = new Map(cells.map((one) => [`${one.row}:${one.column}`, one.content]));
  const calculation = openCalculation(engine, {
    ...{ sheets: ['Sheet1'], tables: [], from1904: false, iterates: false },
    names: Object.entries(dataNames).map(([name, formula]) => ({ name, formula })),
    changes: () => cells,
    content: (_sheet, row, column) => contents.get(`${row}:${column}`) ?? null,
  });
  calculation.recalculate({ timeMs: 0, timeZone: 'UTC', seed: 7 });
  return new Map(calculation.changed().map(({ row, column, value }) => [`${row}:${column}`, value]));
}

/** The values of formulas, each in a row and a column of its own beside the cells that they read. */
function calculated(lines: readonly (readonly string[])[]): (CellValue | undefined)[][] {
  const cells = [
    ...dataCells.map(({ row, column, content }) => ({ sheet: 0, ...cellOf(`${column}${row}`), content })),
    ...lines.flatMap((formulas, line) =>
      formulas.map((formula, at) => ({
        ...{ sheet: 0, row: firstRow + line, column: firstColumn + at },
        content: { formula, kind: 'array', rows: 1, columns: 1 } as CellContent,
      })),
    ),
  ];
  const values = valuesOf(cells);
  return lines.map((formulas, line) =>
    formulas.map((_, at) => values.get(`${firstRow + line}:${firstColumn + at}`) ?? undefined),
  );
}

const differing = (lines: readonly (readonly string[])[]): string[] =>
  calculated(lines).flatMap(([expected, ...found], line) =>
    found.flatMap((value, at) =>
      JSON.stringify(value) === JSON.stringify(expected)
        ? []
        : [`${lines[line]![at + 1]}: ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`],
    ),
  );

test('[CE61] every function takes an array of one element for that element', () => {
  // It asks for the place of its own formula.
  const calls = singleCalls.filter(({ name }) => name !== 'CELL');
  expect(calls.length).toBeGreaterThan(1_800);
  const lines = calls.map((call) => [call.value, ...arrays.map((array) => array(call.value))].map(call.with));
  expect(differing(lines)).toEqual([]);
});

test('[CE61] every function of one value is called for each element of an array', () => {
  // These choose between their arguments, or calculate several values in another way.
  const chooses = new Set(['CELL', 'CHOOSE', 'IF', 'IFERROR', 'IFNA']);
  const calls = singleCalls.filter(({ name, givesSeveral }) => !givesSeveral && !chooses.has(name));
  const lines = calls
    .filter(({ name }) => name !== 'XLOOKUP')
    .map((call) => [call.with(call.value), `INDEX(${call.with(twice(call.value))},1,2)`]);
  expect(differing(lines)).toEqual([]);
});

/** Of the former Analysis ToolPak: several cells are `#VALUE!` to these, and what is calculated of cells is an array. */
const takesNoCells = new Set(
  [
    'EDATE EOMONTH NETWORKDAYS WORKDAY YEARFRAC WEEKNUM ISEVEN ISODD MROUND QUOTIENT RANDBETWEEN SQRTPI FACTDOUBLE SERIESSUM',
    'CONVERT DELTA GESTEP ERF ERFC BESSELI BESSELJ BESSELK BESSELY BIN2DEC BIN2HEX BIN2OCT DEC2BIN DEC2HEX DEC2OCT HEX2BIN HEX2DEC',
    'HEX2OCT OCT2BIN OCT2DEC OCT2HEX COMPLEX IMABS IMAGINARY IMARGUMENT IMCONJUGATE IMCOS IMDIV IMEXP IMLN IMLOG10 IMLOG2 IMPOWER',
    'IMREAL IMSIN IMSQRT IMSUB ACCRINT ACCRINTM AMORDEGRC AMORLINC DISC INTRATE RECEIVED COUPDAYBS COUPDAYS COUPDAYSNC COUPNCD',
    'COUPNUM COUPPCD CUMIPMT CUMPRINC DOLLARDE DOLLARFR DURATION MDURATION EFFECT NOMINAL FVSCHEDULE XIRR XNPV ODDFPRICE ODDFYIELD',
    'ODDLPRICE ODDLYIELD PRICE PRICEDISC PRICEMAT YIELD YIELDDISC YIELDMAT TBILLEQ TBILLPRICE TBILLYIELD',
  ].flatMap((names) => names.split(' ')),
);

/** They read the first of several cells. */
const readsFirst = new Set(['N', 'T']);

test('[CE107] every function of the former Analysis ToolPak that takes one value takes no cells for it', () => {
  const calls = singleCalls.filter(({ name }) => takesNoCells.has(name) && name !== 'SERIESSUM');
  expect(new Set(calls.map(({ name }) => name)).size).toBe(takesNoCells.size - 2);
  const lines = calls.map((call) => ['#VALUE!', call.with('$A$1:$B$1')]);
  expect(differing(lines)).toEqual([]);
});

test('[CE68] every function that is called for several values spills them, wherever they come from', () => {
  // These choose between their arguments, or take references alone.
  const others = new Set(['CELL', 'CHOOSE', 'IF', 'IFERROR', 'IFNA', 'IFS', 'SHEET', 'SWITCH', 'XLOOKUP']);
  const calls = singleCalls.filter(({ name }) => !others.has(name));
  const values = (name: string, row: number) =>
    `${takesNoCells.has(name) || readsFirst.has(name) ? '+' : ''}$A$${row}:$B$${row}`;
  const cells = calls.flatMap((call, line) => {
    const row = firstRow + line;
    const place = (column: number) => ({ sheet: 0, row, column });
    const dynamic = (formula: string): CellContent => ({ formula, kind: 'dynamic' });
    return [
      { ...place(firstColumn), content: dynamic(call.with(twice(call.value))) },
      { ...place(firstColumn + 20), content: dynamic(call.with(values(call.name, row))) },
    ];
  });
  const given = dataCells.map(({ row, column, content }) => ({
    sheet: 0,
    ...cellOf(`${column}${row}`),
    content,
  }));
  const shown = valuesOf([...given, ...cells]);
  const alone = calls.filter((_, line) =>
    [firstColumn, firstColumn + 20].some(
      (column) => shown.get(`${firstRow + line}:${column + 1}`) === undefined,
    ),
  );
  expect(alone.map((call) => call.with(twice(call.value)))).toEqual([]);
});
