import { expect, it } from 'vitest';
import type { Area } from '../../../model/cell/area.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { rangeName, readRange } from '../grid/cell-areas.ts';
import { cellsRead, readersOf } from './read-cells.ts';

const blank = parseWorkbook(blankWorkbook());
const { id: s1, properties } = blank.sheets[0]!;
const own = properties.name;
const [s2, s3] = ['1.2', '1.3'];

const formulas: Readonly<Record<string, string>> = {
  D2: 'B2*C2',
  D3: 'B3*C3',
  D4: 'SUM(D2:D3)+"A1"',
  E1: `SUM(${own}!$A$1:$A$9,Second!B2,Second:Third!C3)`,
  E2: 'Third!A1*2',
  E3: 'Rate*D4',
  E4: 'Circle+Constant',
  E5: 'SUM(Goods[Price])+ROWS(Goods)+[1]Other!A1',
  E6: 'SUM(B:B)',
  E7: '1+2',
  I2: 'Goods[[#This Row],[Price]]*2',
};

const workbook: Workbook = changedWorkbook(
  blank,
  { op: 'addSheet', sheet: s2, name: 'Second', at: 1 },
  { op: 'addSheet', sheet: s3, name: 'Third', at: 2 },
  {
    op: 'set',
    sheet: s1,
    cells: Object.entries(formulas).map(([name, f]) => {
      const [row, column] = readRange(name)!;
      return [row, column, { f }] as const;
    }),
  },
  {
    op: 'put',
    sheet: s1,
    kind: 'table',
    id: 't1',
    item: {
      name: 'Goods',
      area: readRange('H1:I3')!,
      hasHeader: true,
      columns: [{ name: 'Price' }, { name: 'Sum' }],
    },
  },
  { op: 'put', sheet: null, kind: 'name', id: 'n1', item: { name: 'Rate', formula: `${own}!$G$1` } },
  { op: 'put', sheet: null, kind: 'name', id: 'n2', item: { name: 'Circle', formula: 'Circle+Second!$B$2' } },
  { op: 'put', sheet: null, kind: 'name', id: 'n3', item: { name: 'Constant', formula: '5' } },
);

const names = (areas: readonly Area[]) => areas.map(rangeName).join(' ');
const read = (of: string, book = workbook) => {
  const found = cellsRead(
    book,
    book.sheets[0]!,
    of.split(' ').map((name) => readRange(name)!),
  );
  return Object.fromEntries([...found].map(([id, areas]) => [id, names(areas)]));
};
const allReaders = (of: string, book = workbook, sheet = 0) => {
  const areas = of.split(' ').map((name) => readRange(name)!);
  const found = readersOf(book, book.sheets[sheet]!, areas);
  return Object.fromEntries([...found].map(([id, cells]) => [id, names(cells)]));
};
const readers = (of: string, book = workbook) => allReaders(of, book)[s1] ?? '';

it('[XS220] a formula reads the cells that it names, by references, names and tables, and no text', () => {
  expect(read('D2')).toEqual({ [s1]: 'B2 C2' });
  expect(read('D2:D3')).toEqual({ [s1]: 'B2:B3 C2:C3' });
  expect(read('D4')).toEqual({ [s1]: 'D2:D3' });
  expect(read('E1')).toEqual({ [s1]: 'A1:A9', [s2]: 'B2 C3', [s3]: 'C3' });
  expect(read('E2')).toEqual({ [s3]: 'A1' });
  expect(read('E3')).toEqual({ [s1]: 'D4 G1' });
  expect(read('E4')).toEqual({ [s2]: 'B2' });
  expect(read('E5')).toEqual({ [s1]: 'H2:H3 H2:I3' });
  expect(read('E6')).toEqual({ [s1]: 'B:B' });
  expect(read('I2')).toEqual({ [s1]: 'H2' });
  expect(read('E7')).toEqual({});
  expect(read('A1:C9')).toEqual({});
});

it('[XS220] the readers of cells are the formulas of their sheet that name one of them', () => {
  expect(readers('B3')).toBe('D3 E6');
  expect(readers('B2:B3')).toBe('D2:D3 E6');
  expect(readers('D2 D4')).toBe('D4 E3');
  expect(readers('G1')).toBe('E3');
  expect(readers('H2')).toBe('E5 I2');
  expect(readers('H3')).toBe('E5');
  expect(readers('C9 Z99')).toBe('');
});

it('[XS250] the readers on other sheets are found, too, over references, names and several sheets', () => {
  const more = changedWorkbook(
    workbook,
    { op: 'set', sheet: s2, cells: [[0, 0, { f: `${own}!B2+Rate` }]] },
    { op: 'set', sheet: s3, cells: [[4, 1, { f: `SUM(${own}:Second!B2)` }]] },
  );
  expect(allReaders('B2', more)).toEqual({ [s1]: 'D2 E6', [s2]: 'A1', [s3]: 'B5' });
  expect(allReaders('G1', more)).toEqual({ [s1]: 'E3', [s2]: 'A1' });
  expect(allReaders('B2', more, 1)).toEqual({ [s1]: 'E1 E4', [s3]: 'B5' });
  expect(allReaders('A1', more, 2)).toEqual({ [s1]: 'E2' });
});

it('[XS220] a formula that a protection hides is neither looked into nor found', () => {
  const hidden = changedWorkbook(
    workbook,
    { op: 'format', sheet: s1, areas: [readRange('D2')!], patch: { protection: { hidden: true } } },
    { op: 'sheet', sheet: s1, patch: { protection: { allows: [] } } },
  );
  expect([read('D2', hidden), readers('B2', hidden)]).toEqual([{}, 'E6']);
});

it('[XS220] names of names that name each other twice come to an end', () => {
  const many = changedWorkbook(
    blank,
    ...Array.from({ length: 60 }, (_, at) => ({
      op: 'put' as const,
      ...{ sheet: null, kind: 'name' as const, id: `n${at}` },
      item: { name: `name_${at}`, formula: at < 59 ? `name_${at + 1}+name_${at + 1}` : `${own}!$A$1` },
    })),
    { op: 'set', sheet: s1, cells: [[4, 4, { f: 'name_0' }]] },
  );
  expect(read('E5', many)).toEqual({ [s1]: 'A1' });
});
