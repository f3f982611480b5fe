import { describe, expect, it } from 'vitest';
import { openXlsx } from '../../../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { applyOperation } from '../../../model/cell/change.ts';
import { parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { textOfValue } from '../../../model/cell/values.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { buildXlsx } from '../../../test/support/xlsx-fixture.ts';
import { cellName } from '../grid/cell-areas.ts';
import { compareWorkbooks } from './compared-sheets.ts';

const workbook = parseWorkbook(
  openXlsx(
    buildXlsx([
      ['Item', 'Price', 'Count', 'Sum'],
      ['Nails', 3.5, 4, '=B2*C2'],
      ['Glue', 2, 1, '=B3*C3'],
      ['Wood', 9, 2, '=B4*C4'],
      ['Total', '', '', '=SUM(D2:D4)'],
    ]),
  ).model,
);
const sheet = workbook.sheets[0]!.id;

const changed = (...operations: readonly CellOperation[]): Workbook =>
  operations.reduce<Workbook>((all, one) => {
    const after = applyOperation(all, one);
    if (typeof after === 'string') throw new Error(after);
    return after;
  }, workbook);

const set = (row: number, column: number, v: string | number | null): CellOperation => ({
  ...{ op: 'set', sheet },
  cells: [[row, column, { v }]],
});
const insert = (at: number): CellOperation => ({ op: 'insert', sheet, axis: 'row', at, count: 1 });

/** `A2: before → after`, or what became of a sheet. */
const told = (after: Workbook, before = workbook): string[] =>
  compareWorkbooks(before, after).map((one) => {
    if (one.kind !== 'cell') return `${one.kind} ${one.name}`;
    const text = ({ value, formula }: typeof one.before) =>
      formula ? `=${formula.text}` : textOfValue(value);
    return `${cellName(one.cell)}: ${text(one.before)} → ${text(one.after)}`;
  });

describe('what two versions of a workbook differ in', () => {
  it('[TG1] lists each cell with what it held before and after, and nothing else', () => {
    expect(told(workbook)).toEqual([]);
    expect(told(changed(set(1, 1, 4), set(2, 0, null)))).toEqual(['B2: 3.5 → 4', 'A3: Glue → ']);
  });

  it('[TG2] finds rows again behind those that were put in or taken out, with their formulas', () => {
    expect(told(changed(insert(2), set(2, 0, 'Paint')))).toEqual(['A3:  → Paint']);
    const gone: CellOperation = { op: 'delete', sheet, axis: 'row', at: 2, count: 1 };
    expect(told(changed(gone)).filter((one) => !one.startsWith('D4: '))).toEqual([
      'A3: Glue → ',
      'B3: 2 → ',
      'C3: 1 → ',
      'D3: =B3*C3 → ',
    ]);
    expect(told(changed(insert(2), set(4, 1, 10)))).toEqual(['B5: 9 → 10']);
  });

  it('[XU5] finds columns again behind those that were put in or taken out, with their formulas, also beside new rows', () => {
    const put: CellOperation = { op: 'insert', sheet, axis: 'column', at: 1, count: 1 };
    expect(told(changed(put))).toEqual([]);
    expect(told(changed(put, set(0, 1, 'Colour'), set(2, 1, 'red')))).toEqual([
      'B1:  → Colour',
      'B3:  → red',
    ]);
    expect(told(changed(put, insert(2), set(2, 0, 'Paint'), set(4, 2, 10)))).toEqual([
      ...['A3:  → Paint', 'C5: 9 → 10'],
    ]);
    const gone: CellOperation = { op: 'delete', sheet, axis: 'column', at: 0, count: 1 };
    expect(told(changed(gone))).toEqual(
      ['Item', 'Nails', 'Glue', 'Wood', 'Total'].map((text, row) => `A${row + 1}: ${text} → `),
    );
    // A column that says something else altogether is the same one where nothing was put in.
    const other = [0, 1, 2, 3].map((row) => set(row, 1, `other ${row}`));
    expect(told(changed(...other))).toHaveLength(4);
  });

  it('[TG3] tells of sheets that were added, removed and renamed', () => {
    const added = changed({ op: 'addSheet', sheet: 'c.1', name: 'More', at: 1 });
    expect(told(added)).toEqual(['sheetAdded More']);
    expect(told(workbook, added)).toEqual(['sheetRemoved More']);
    expect(told(changed({ op: 'sheet', sheet, patch: { name: 'Budget' } }))).toEqual(['sheetRenamed Budget']);
  });
});
