import { describe, expect, it } from 'vitest';
import { applyOperation } from '../../../model/cell/change.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import { CellLooks } from './cell-looks.ts';
import { ConditionalFormats } from './conditional-formats.ts';

const red = { font: { color: { rgb: 'FF0000' } } };

/** The values 1 to 5 and 5 again in the first column, with one rule for all of them. */
function formats(rule: Partial<ItemOf<'condition'>>) {
  const begun = parseWorkbook(blankWorkbook());
  const id = begun.sheets[0]!.id;
  const values = [1, 2, 3, 4, 5, 5];
  const workbook = [
    { op: 'block', sheet: id, row: 0, column: 0, rows: values.map((value) => [value]) },
    {
      op: 'put',
      sheet: id,
      kind: 'condition',
      id: 'c',
      item: { areas: [[0, 0, 5, 0]], type: 'cellIs', priority: 1, formulas: [], format: red, ...rule },
    },
  ].reduce((current, operation) => {
    const next = applyOperation(current, operation as never);
    if (typeof next === 'string') throw new Error(next);
    return next;
  }, begun);
  const sheet = workbook.sheets[0]!;
  const conditions = new ConditionalFormats({
    sheet,
    looks: new CellLooks(undefined, undefined),
    used: { top: 0, left: 0, bottom: 5, right: 0 },
    valueAt: (row, column) => sheet.grid.cell(row, column).value,
  });
  return values.map((_, row) => conditions.at(row, 0, {}));
}

const holdsFor = (rule: Partial<ItemOf<'condition'>>): number[] =>
  formats(rule).flatMap((found, row) => (found?.format.font?.color?.rgb === 'FF0000' ? [row] : []));

describe('conditional formats', () => {
  it('[XS16] hold for comparisons with values and cells, for doubles, ranks and averages', () => {
    expect(holdsFor({ operator: 'greaterThan', formulas: ['3'] })).toEqual([3, 4, 5]);
    expect(holdsFor({ operator: 'between', formulas: ['2', '4'] })).toEqual([1, 2, 3]);
    expect(holdsFor({ operator: 'equal', formulas: ['$A$2'] })).toEqual([1]);
    expect(holdsFor({ operator: 'equal', formulas: ['A1'] })).toEqual([0, 1, 2, 3, 4, 5]);
    expect(holdsFor({ type: 'duplicateValues' })).toEqual([4, 5]);
    expect(holdsFor({ type: 'top10', rank: 3 })).toEqual([3, 4, 5]);
    expect(holdsFor({ type: 'top10', rank: 2, bottom: true })).toEqual([0, 1]);
    expect(holdsFor({ type: 'aboveAverage' })).toEqual([3, 4, 5]);
    expect(holdsFor({ type: 'containsText', text: '5' })).toEqual([4, 5]);
  });

  it('[XS16] change nothing where a formula would have to be calculated', () => {
    expect(holdsFor({ operator: 'equal', formulas: ['SUM(A1:A2)'] })).toEqual([]);
    expect(holdsFor({ type: 'expression', formulas: ['A1>3'] })).toEqual([]);
  });

  it('[XS16] draw scales of colours and bars by where a number is among the others', () => {
    const scale = formats({
      type: 'colorScale',
      points: [
        { type: 'min', color: { rgb: '000000' } },
        { type: 'max', color: { rgb: 'FFFFFF' } },
      ],
    });
    expect(scale.map((found) => found?.fill)).toEqual([
      '#000000',
      '#404040',
      '#808080',
      '#bfbfbf',
      '#ffffff',
      '#ffffff',
    ]);
    const bars = formats({
      type: 'dataBar',
      color: { rgb: '0000FF' },
      points: [{ type: 'num', value: '0' }, { type: 'max' }],
    });
    expect(bars.map((found) => found?.bar?.part)).toEqual([0.2, 0.4, 0.6, 0.8, 1, 1]);
  });
});
