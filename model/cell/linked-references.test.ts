import { expect, test } from 'vitest';
import { parseWorkbook, WORKBOOK_FORMAT } from './document.ts';
import { linkedReferencesOf, linkedWishOf } from './linked-references.ts';
import { linkedValuesOf, readWish, TooManyLinkedValues } from './linked-values.ts';
import { WORKBOOK_VERSION } from './version.ts';

const workbook = (rows: readonly unknown[], items: object) =>
  parseWorkbook({
    ...{ format: WORKBOOK_FORMAT, version: WORKBOOK_VERSION, formats: [{}], items },
    sheets: [
      { id: 's1', properties: { name: 'Rates' }, rows },
      { id: 's2', properties: { name: 'Other' } },
    ],
  });

test.each([
  ["SUM([1]Rates!A1:$B$2,'[1]My Sheet'!C:C)+[2]Rates!Z9", ['Rates 0,0,1,1', 'My Sheet 0,2,1048575,2'], []],
  ['[1]!Total+[1]Rates!Local*[1]Rates!3:4', ['Rates 2,0,3,16383'], ['Total', 'Local']],
  ['[1]!Call(1)&"[1]Rates!A1"&\'[1]One:Two\'!A1', [], []],
])('[LB6] what %s reads of another workbook is told', (formula, cells, names) => {
  const read = linkedReferencesOf(formula, '1')!;
  expect([read.cells.map(({ sheet, area }) => `${sheet} ${area.join()}`), read.names]).toEqual([
    cells,
    names,
  ]);
});

test('[LB6] it is asked for what formulas anywhere read, and for what is known already', () => {
  const known = [0, 1, 2].flatMap((row) => [0, 1].map((column) => [row, column, 1]));
  const wish = linkedWishOf(
    workbook([[0, 0, 0, 0, { f: '[1]Rates!A1' }, 1, 0, { f: '[2]Rates!A9' }]], {
      name: { n1: { name: 'N', formula: '[1]Rates!$D$4+[1]!Total' } },
      book: { 1: { address: 'a.xlsx', sheets: [{ name: 'rates', cells: known }] } },
    }),
    '1',
  );
  expect(wish).toEqual({
    sheets: [
      {
        name: 'Rates',
        areas: [
          [0, 0, 0, 0],
          [3, 3, 3, 3],
          [0, 1, 0, 1],
          [1, 0, 2, 1],
        ],
      },
    ],
    names: ['Total'],
  });
  expect(readWish(JSON.parse(JSON.stringify(wish)))).toEqual(wish);
});

test('[LB6] values are those that are stored; an area without any says so, and so do sheets and names that are not there', () => {
  const source = workbook(
    [
      [0, 0, 0, 0, { f: '1+1', v: 2 }, 1, 0, { r: [{ t: 'a' }, { t: 'b' }] }],
      [2, 0, 0, 0, true, 5, 0, { e: '#N/A' }],
    ],
    { name: { n1: { name: 'Total', formula: 'Rates!$F$4' }, n2: { name: 'Sum', formula: 'SUM(Rates!A1)' } } },
  );
  const areas = [
    [0, 0, 1_048_575, 1],
    [7, 7, 9, 9],
  ] as const;
  const sheets = [
    { name: 'RATES', areas },
    { name: 'Gone', areas },
  ];
  expect(linkedValuesOf(source, { sheets, names: ['total', 'Sum', 'None'] } as never)).toEqual({
    sheets: [
      {
        name: 'RATES',
        cells: [
          [0, 0, 2],
          [0, 1, 'ab'],
          [3, 0, true],
          [3, 5, { e: '#N/A' }],
          [7, 7, null],
        ],
      },
    ],
    names: [{ name: 'total', formula: 'Rates!$F$4' }],
  });
});

test('[LB7] what is no wish, or asks for more than a workbook keeps of others, is refused', () => {
  for (const value of [
    null,
    {},
    { sheets: [{ name: 'A', areas: [[0, 0, 0]] }], names: [] },
    { sheets: [], names: [1] },
  ])
    expect(readWish(value)).toBeNull();
  const many = Array.from({ length: 6_000 }, () => [0, 0, 0, 0]);
  expect(
    readWish({
      sheets: [
        { name: 'A', areas: many },
        { name: 'B', areas: many },
      ],
      names: [],
    }),
  ).toBeNull();
  const long = workbook(
    Array.from({ length: 1_000 }, () => [0, 0, 0, 0, 'x'.repeat(32_000)]),
    {},
  );
  const all = { sheets: [{ name: 'Rates', areas: [[0, 0, 999, 0] as const] }], names: [] };
  expect(() => linkedValuesOf(long, all as never)).toThrow(TooManyLinkedValues);
});
