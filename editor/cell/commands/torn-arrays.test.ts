import { expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { readRange } from '../grid/cell-areas.ts';
import { tearsArray } from './torn-arrays.ts';

const blank = parseWorkbook(blankWorkbook());
const { id: sheet } = blank.sheets[0]!;

it('[XS180] an array is torn where some of its cells are moved and others stay, and what spills is not', () => {
  const [held] = changedWorkbook(blank, {
    ...{ op: 'set', sheet },
    cells: [
      [1, 1, { f: { t: 'E1:F3*2', a: ['array', 3, 2] }, v: 0 }],
      [8, 1, { f: { t: 'E1:E3*2', a: ['dynamic', 3, 1] }, v: 0 }],
    ],
  }).sheets;
  const torn = ['B2', 'C4', 'B2:C3', 'A4:Z9', 'B:B', '3:3'];
  const whole = ['B2:C4', 'A1:Z99', 'A1', 'D2:D4', 'B5', 'B9', 'B10', 'B:C', '2:4'];
  const tears = (name: string) => tearsArray(held!, readRange(name)!);
  expect(torn.filter((name) => !tears(name))).toEqual([]);
  expect(whole.filter(tears)).toEqual([]);
});
