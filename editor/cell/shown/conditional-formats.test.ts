import { describe, expect, it } from 'vitest';
import { applyOperation } from '../../../model/cell/change.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import { ConditionalFormats } from './conditional-formats.ts';
import { FormatLooks } from './format-looks.ts';

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
    looks: new FormatLooks(undefined, undefined),
    used: [0, 0, 5, 0],
    valueAt: (row, column) => sheet.grid.cell(row, column).value,
    formulaValue: ({ text, row: from }, row) =>
      text.startsWith('ISODD') ? row - from === 2 : text === 'MAX(A$1:A$6)' ? 5 : undefined,
    isFrom1904: false,
    today: 3,
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

  it('[XS16] ask for what has to be calculated, and change nothing where nobody has done it', () => {
    expect(holdsFor({ operator: 'equal', formulas: ['SUM(A1:A2)'] })).toEqual([]);
    expect(holdsFor({ type: 'expression', formulas: ['A1>3'] })).toEqual([]);
    expect(holdsFor({ type: 'expression', formulas: ['ISODD(A1)'] })).toEqual([2]);
    expect(holdsFor({ type: 'expression', formulas: ['$A$1'] })).toHaveLength(6);
    const bars = (value: string) => {
      const points = [
        { type: 'num', value: '0' },
        { type: 'formula', value },
      ];
      return formats({ type: 'dataBar', points }).map((found) => found?.bar?.part ?? null);
    };
    expect(bars('MAX(A$1:A$6)')[0]).toBe(0.2);
    expect(bars('$A$2')[0]).toBe(0.5);
    expect(bars('MIN(A$1:A$6)')).toEqual([null, null, null, null, null, null]);
  });

  it('[XS16] hold for days, standard deviations, and choose icons', () => {
    expect(holdsFor({ type: 'timePeriod', period: 'yesterday' })).toEqual([1]);
    expect(holdsFor({ type: 'timePeriod', period: 'last7Days' })).toEqual([0, 1, 2]);
    expect(holdsFor({ type: 'aboveAverage', aboveAverage: false, deviations: 1 })).toEqual([0]);
    const points = [
      { type: 'percent', value: '0' },
      { type: 'percent', value: '50' },
      { type: 'num', value: '5' },
    ];
    const icons = formats({ type: 'iconSet', icons: '3Arrows', points, showsValue: false });
    expect(icons.map((found) => found?.icon?.place)).toEqual([0, 0, 1, 1, 2, 2]);
    expect(icons[0]?.hidesText).toBe(true);
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
