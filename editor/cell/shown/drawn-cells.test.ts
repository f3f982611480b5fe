import { expect, it } from 'vitest';
import { parseWorkbook, WORKBOOK_FORMAT } from '../../../model/cell/document.ts';
import { WORKBOOK_VERSION } from '../../../model/cell/version.ts';
import { DrawnCells } from './drawn-cells.ts';
import type { FormatLooks } from './format-looks.ts';

const opened = (formula: object | string) =>
  parseWorkbook({
    format: WORKBOOK_FORMAT,
    version: WORKBOOK_VERSION,
    formats: [{}],
    sheets: [{ id: 's1', properties: { name: 'First' }, rows: [[0, 0, 0, 0, { f: formula, v: null }]] }],
  }).sheets[0]!.grid.cell(0, 0);

const shown = {
  looks: { of: () => ({}) } as unknown as FormatLooks,
  settings: { locale: 'en', date1904: false },
  hidesZeros: false,
};

it('[XS71] a formula without a value, and one that its sheet shows, stands as people read it', () => {
  const cell = opened({ t: '_xlfn.XLOOKUP(A1,B1:B9,{1.5,2})', a: ['dynamic', 1, 2] });
  const textOf = (locale: string, showsFormulas: boolean) =>
    new DrawnCells({
      ...shown,
      formatOf: () => ({}),
      settings: { locale, date1904: false },
      showsFormulas,
      isProtected: false,
    }).of(cell, showsFormulas ? 3 : null).text;
  expect(textOf('en', false)).toBe('=XLOOKUP(A1,B1:B9,{1.5,2})');
  expect(textOf('en', true)).toBe('=XLOOKUP(A1,B1:B9,{1.5,2})');
  expect(textOf('de', false)).toBe('=XLOOKUP(A1;B1:B9;{1,5\\2})');
});

it('[XS222] a formula that its format hides is not shown where the sheet is protected, in place of its value or without one', () => {
  const cell = opened('1+2');
  const textOf = (isProtected: boolean, value: number | null) =>
    new DrawnCells({
      ...shown,
      formatOf: () => ({ protection: { hidden: true } }),
      showsFormulas: true,
      isProtected,
    }).of(cell, value).text;
  expect([textOf(false, 3), textOf(false, null)]).toEqual(['=1+2', '=1+2']);
  expect([textOf(true, 3), textOf(true, null)]).toEqual(['3', '']);
});
