import { describe, expect, it, vi } from 'vitest';
import { applyOperation } from './change.ts';
import { blankWorkbook, parseWorkbook } from './document.ts';
import type { CellOperation } from './operations.ts';
import { itemsOf, type Workbook } from './workbook.ts';

vi.mock('./limits.ts', async (original) => {
  const { CELL_LIMITS } = await original<typeof import('./limits.ts')>();
  return { CELL_LIMITS: { ...CELL_LIMITS, cellsPerSeveral: 20_000 } };
});

const sheet = 's1';
const rows = Array.from({ length: 1_000 }, (_, at) => [0, 0, 0, 0, at, 1, 0, { f: 'A1+1' }]);
const other = { id: 's2', properties: { name: 'Other' }, rows: [] };
const workbook = parseWorkbook({
  ...blankWorkbook(),
  sheets: [{ id: sheet, properties: { name: 'Data' }, rows }, other],
  items: { name: { n: { name: 'Rate', formula: '1' } } },
} as never);
const several = (count: number, operation: CellOperation) =>
  applyOperation(workbook, { op: 'several', operations: Array.from({ length: count }, () => operation) });

describe('operations that many formulas follow', () => {
  const following: readonly [string, CellOperation][] = [
    ['cells that are put in', { op: 'insert', sheet: 's2', axis: 'row', at: 0, count: 1, band: [0, 1] }],
    ['cells that are taken out', { op: 'delete', sheet: 's2', axis: 'row', at: 0, count: 1, band: [0, 1] }],
    ['rows that are moved', { op: 'move', sheet: 's2', axis: 'row', at: 0, count: 1, to: 5 }],
    [
      'cells that are moved',
      { op: 'moveCells', sheet: 's2', area: [0, 0, 0, 0], toSheet: 's2', row: 5, column: 5 },
    ],
    ['a sheet that is renamed', { op: 'sheet', sheet: 's2', patch: { name: 'Another' } }],
    ['a name that is changed', { op: 'patch', sheet: null, kind: 'name', id: 'n', patch: { name: 'Rates' } }],
  ];
  it.each(following)('[XE83] %s again and again count by the formulas', (_name, operation) => {
    expect(several(300, operation)).toBe('too-large');
    expect(typeof several(100, operation)).toBe('object');
  });

  it('[XE88] whole rows that are put in and taken out one after the other count by the formulas once, others that come between begin anew', () => {
    const at = (count: number, axis: 'row' | 'column'): CellOperation => ({
      ...{ op: count % 2 === 0 ? 'insert' : 'delete', sheet: 's2', axis, at: count % 7, count: 1 },
    });
    const made = (operations: readonly CellOperation[]) =>
      typeof applyOperation(workbook, { op: 'several', operations: [...operations] } as CellOperation);
    const lines = Array.from({ length: 2_000 }, (_, number) => at(number, 'row'));
    expect(made(lines)).toBe('object');
    const write: CellOperation = { op: 'set', sheet: 's2', cells: [[0, 0, { v: 'x' }]] };
    expect(made(lines.flatMap((one) => [one, write]))).toBe('object');
    expect(
      made(lines.slice(0, 300).map((_, number) => at(number, number % 2 === 0 ? 'row' : 'column'))),
    ).toBe('string');
    const moved: CellOperation = { op: 'move', sheet: 's2', axis: 'row', at: 0, count: 1, to: 5 };
    expect(made(lines.slice(0, 300).flatMap((one) => [one, moved]))).toBe('string');
  });

  it('[XE83] what no formula follows does not', () => {
    expect(typeof several(5_000, { op: 'sheet', sheet: 's2', patch: { zoomPercent: 90 } })).toBe('object');
  });
});

it('[XE84] very many columns that are wished to be called alike, and tables whose headings change at once, are named in one go', () => {
  const width = 16_384;
  const columns = Array.from({ length: width }, (_, at) => ({ name: `c${at}` }));
  const blank = parseWorkbook(blankWorkbook());
  const wide = applyOperation(blank, {
    ...{ op: 'put', sheet, kind: 'table', id: 't' },
    item: { area: [0, 0, 2, width - 1], name: 'Wide', hasHeader: true, columns },
  }) as Workbook;
  const headings: CellOperation = {
    ...{ op: 'block', sheet, row: 0, column: 0 },
    rows: [new Array<string>(width).fill('x')],
  };
  const named = itemsOf((applyOperation(wide, headings) as Workbook).sheets[0]!, 'table').get('t')!;
  expect([named.columns[0]!.name, named.columns[1]!.name, named.columns.at(-1)!.name]).toEqual([
    ...['x', 'x2', `x${width}`],
  ]);
  const tables = Object.fromEntries(
    columns.map(({ name }, at) => [
      name,
      { area: [0, at, 2, at], name: `Table_${at}`, hasHeader: true, columns: [{ name }] },
    ]),
  );
  const many = parseWorkbook({
    ...blankWorkbook(),
    sheets: [
      {
        ...{ id: sheet, properties: { name: 'Data' }, items: { table: tables } },
        rows: [
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 0, 0, 0, { f: 'SUM(Table_5[c5])' }],
        ],
      },
    ],
  } as never);
  const renamed = (applyOperation(many, headings) as Workbook).sheets[0]!;
  expect(renamed.grid.cell(3, 0).formula!.text).toBe('SUM(Table_5[x])');
  expect(itemsOf(renamed, 'table').get('c9')!.columns).toEqual([{ name: 'x' }]);
});
