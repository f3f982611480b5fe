import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { inverseOf } from '../../../../../client/cell/inverse.ts';
import { cellModel } from '../../../../../model/cell/cell-model.ts';
import { applyOperation } from '../../../../../model/cell/change.ts';
import type { CellOperation } from '../../../../../model/cell/operations.ts';
import type { Workbook } from '../../../../../model/cell/workbook.ts';
import { buildWorkbook } from '../../../../../test/support/workbook-fixture.ts';
import { edit, opened } from '../testing/xlsx-edit.ts';
import { xlsxEngine } from '../xlsx-engine.ts';

const X14 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';
const XM = 'http://schemas.microsoft.com/office/excel/2006/main';

/** A sheet with a sparkline in each row; and after some rows were put in before them. */
const sparklines = (count: number, before = 0) =>
  Array.from({ length: count }, (_, at) => {
    const row = before + at + 1;
    return `<x14:sparkline><xm:f>Sheet1!A${row}:L${row}</xm:f><xm:sqref>M${row}</xm:sqref></x14:sparkline>`;
  }).join('');
const withSparklines = (count: number): Uint8Array =>
  buildWorkbook({
    sheets: [
      {
        rows: '<row r="1"><c r="A1"><v>1</v></c></row>',
        after: `<extLst><ext uri="{1}" xmlns:x14="${X14}"><x14:sparklineGroups xmlns:xm="${XM}"><x14:sparklineGroup><x14:sparklines>${sparklines(count)}</x14:sparklines></x14:sparklineGroup></x14:sparklineGroups></ext></extLst>`,
      },
    ],
  });

const insertRow: CellOperation = { op: 'insert', sheet: 's1', axis: 'row', at: 0, count: 1 };
const heldIn = ({ items }: Workbook) =>
  [...items.held!.values()].map((item) => (item as { formulas: readonly string[] }).formulas);

describe('very many references beside the model', () => {
  test('[XE47] 200,000 of them follow; those beyond stay as they are', () => {
    const base = withSparklines(100_002);
    expect(heldIn(opened(base)).flat()).toHaveLength(200_000);
    const changes = [cellModel.encode('client', insertRow, 0)];
    const tail = { checkpoint: null, changes, wantsCheckpoint: false };
    const saved = unzipSync(xlsxEngine().assemble(base, tail, {}).bytes)['xl/worksheets/sheet1.xml'];
    const all = `${sparklines(100_000, 1)}${sparklines(2, 100_000)}`;
    expect(strFromU8(saved!).includes(`<x14:sparklines>${all}</x14:sparklines>`)).toBe(true);
  });

  test('[XE47] they go with their cells, and the list with all of them', () => {
    const gone = edit(withSparklines(20_000), [
      { op: 'delete', sheet: 's1', axis: 'column', at: 12, count: 1 },
    ]);
    expect(gone.xml).not.toContain('x14:sparkline');
  });

  test('[XC25] who takes a deletion back sends only what it was about of them', () => {
    const before = opened(withSparklines(5_000));
    const act: CellOperation = { op: 'delete', sheet: 's1', axis: 'row', at: 700, count: 1 };
    const after = applyOperation(before, act) as Workbook;
    const back = inverseOf([{ operation: act, document: before }], after);
    expect(JSON.stringify(back).length).toBeLessThan(30_000);
    const again = back.reduce((workbook, one) => applyOperation(workbook, one) as Workbook, after);
    expect(heldIn(again)).toEqual(heldIn(before));
  });
});
