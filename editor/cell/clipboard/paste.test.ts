import { describe, expect, it } from 'vitest';
import { applyOperation } from '../../../model/cell/change.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { sheetOf, type Workbook } from '../../../model/cell/workbook.ts';
import { type CellRange, rangeName, readRange } from '../grid/cell-range.ts';
import { SheetView, type ValueOf, WorkbookShow } from '../shown/sheet-view.ts';
import { transposed } from './cell-table.ts';
import { copyCells, readOwn } from './copied-cells.ts';
import { type Pasting, pastedRange, pasteOperations } from './paste.ts';
import { readSeparated } from './separated-text.ts';

const settings = { locale: 'en' };
const range = (name: string): CellRange => readRange(name)!;
const noValues: ValueOf = () => undefined;

const changedBy = (workbook: Workbook, ...operations: readonly CellOperation[]): Workbook =>
  operations.reduce((current, operation) => {
    const next = applyOperation(current, operation);
    if (typeof next === 'string') throw new Error(next);
    return next;
  }, workbook);

const begun = parseWorkbook(blankWorkbook());
const id = begun.sheets[0]!.id;
const workbook = changedBy(
  begun,
  {
    op: 'set',
    sheet: id,
    cells: [
      [0, 0, { v: 1 }],
      [0, 1, { f: 'A1*2', v: 2, s: 0 }],
      [1, 0, { v: 'two\nlines' }],
      [1, 1, { f: '$A$1+B1', v: 3 }],
    ],
    formats: [{ number: '0.00', font: { bold: true } }],
  },
  { op: 'put', sheet: id, kind: 'merge', id: 'm', item: { area: [2, 0, 2, 1] } },
);

const viewOf = (of: Workbook) =>
  new SheetView(
    of,
    of.sheets[0]!,
    new WorkbookShow(),
    { settings, scale: { zoom: 1, pixelRatio: 1, digitPx: 7 }, valueOf: noValues },
    null,
  );

const pasting = (over: Partial<Pasting>): Pasting => ({
  sheet: id,
  table: { rows: [], merges: [] },
  target: range('D4'),
  part: 'all',
  settings,
  formatAt: () => ({}),
  newId: () => 'new',
  mergesIn: () => [],
  ...over,
});

/** Formula or value of cells, row by row. */
function held(of: Workbook, name: string): unknown[][] {
  const { top, left, bottom, right } = range(name);
  const { grid } = sheetOf(of, id)!;
  return Array.from({ length: bottom - top + 1 }, (_, row) =>
    Array.from({ length: right - left + 1 }, (_cell, column) => {
      const { formula, value } = grid.cell(top + row, left + column);
      return formula ? `=${formula.text}` : value;
    }),
  );
}

describe('copying and pasting cells', () => {
  it('[XS11] keeps values, formats and merged cells, and moves relative references along', () => {
    const { own, text, html } = copyCells(workbook, viewOf(workbook), range('A1:B3'), 'c');
    const { table } = readOwn(own)!;
    const pasted = changedBy(workbook, ...pasteOperations(pasting({ table })));
    expect(held(pasted, 'D4:E5')).toEqual([
      [1, '=D4*2'],
      ['two\nlines', '=$A$1+E4'],
    ]);
    expect(pasted.formats.at(sheetOf(pasted, id)!.grid.cell(3, 4).format)).toMatchObject({ number: '0.00' });
    expect(viewOf(pasted).mergeAt(5, 4)).toEqual(range('D6:E6'));
    expect(text).toBe('1\t2.00\n"two\nlines"\t3\n\t');
    expect(html).toContain('<td style="');
    expect(html).toContain('font-weight:bold');
    expect(html).toContain('colspan="2"');
  });

  it('[XS11] can paste the values alone, or the looks alone, or rows as columns', () => {
    const { table } = readOwn(copyCells(workbook, viewOf(workbook), range('A1:B2'), 'c').own)!;
    const values = changedBy(workbook, ...pasteOperations(pasting({ table, part: 'values' })));
    expect(held(values, 'D4:E5')).toEqual([
      [1, 2],
      ['two\nlines', 3],
    ]);
    const looks = changedBy(workbook, ...pasteOperations(pasting({ table, part: 'formats' })));
    expect(held(looks, 'D4:E4')).toEqual([[null, null]]);
    expect(looks.formats.at(sheetOf(looks, id)!.grid.cell(3, 4).format).font?.bold).toBe(true);
    const turned = changedBy(
      workbook,
      ...pasteOperations(pasting({ table: transposed(table), part: 'values' })),
    );
    expect(held(turned, 'D4:E4')).toEqual([[1, 'two\nlines']]);
  });

  it('[XS11] reads text of other programs as if it were typed', () => {
    const rows = readSeparated('12%\tabc\n=A1\t').map((row) => row.map((text) => ({ text })));
    const pasted = changedBy(workbook, ...pasteOperations(pasting({ table: { rows, merges: [] } })));
    expect(held(pasted, 'D4:E5')).toEqual([
      [0.12, 'abc'],
      ['=A1', null],
    ]);
  });

  it('[XS11] repeats what fits into the selection several times', () => {
    const table = { rows: [[{ text: '1' }, { text: '2' }]], merges: [] };
    const repeated = (name: string) => rangeName(pastedRange(table, range(name)));
    expect(repeated('D4')).toBe('D4:E4');
    expect(repeated('D4:E6')).toBe('D4:E6');
    expect(repeated('D4:F6')).toBe('D4:E4');
    expect(repeated('D:E')).toBe('D1:E1');
    expect(repeated('XFD1048576')).toBe('XFD1048576');
  });

  it('[XS11] takes nothing for its own that it did not write', () => {
    expect(readOwn('')).toBeNull();
    expect(readOwn('{"version":2,"rows":[]}')).toBeNull();
    expect(readOwn('[]')).toBeNull();
  });
});
