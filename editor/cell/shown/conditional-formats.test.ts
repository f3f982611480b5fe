import { describe, expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { ConditionalFormats } from './conditional-formats.ts';
import { FormatLooks } from './format-looks.ts';

const red = { font: { color: { rgb: 'FF0000' } } };

type Rule = Partial<ItemOf<'condition'>>;

/** The values 1 to 5 and 5 again in the first column, with one rule for all of them. */
const formats = (rule: Rule) => formatsOf([1, 2, 3, 4, 5, 5], rule);

/** Values in the first column with rules for all of them, the one that comes first first. */
function formatsOf(values: readonly (string | number | boolean | null)[], ...rules: readonly Rule[]) {
  const begun = parseWorkbook(blankWorkbook());
  const id = begun.sheets[0]!.id;
  const operations = [
    { op: 'block', sheet: id, row: 0, column: 0, rows: values.map((value) => [value]) },
    ...rules.map((rule, at) => ({
      op: 'put',
      sheet: id,
      kind: 'condition',
      id: `c${at}`,
      item: { areas: [[0, 0, 5, 0]], type: 'cellIs', priority: at + 1, formulas: [], format: red, ...rule },
    })),
  ];
  const workbook = changedWorkbook(begun, operations as CellOperation[]);
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
      return formats({ type: 'dataBar', points }).map((found) => found?.bar?.to ?? null);
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
    expect(bars.map((found) => found?.bar?.to)).toEqual([0.2, 0.4, 0.6, 0.8, 1, 1]);
  });

  it('[XS186] the rule that comes first has its fill, bar and icon seen, scale or not', () => {
    const points = [
      { type: 'min', color: { rgb: '000000' } },
      { type: 'max', color: { rgb: 'FFFFFF' } },
    ];
    const scale: Rule = { type: 'colorScale', points };
    const yellow: Rule = {
      operator: 'greaterThan',
      formulas: ['3'],
      format: { fill: { pattern: 'solid', color: { rgb: 'FFFF00' } } },
    };
    const fills = (...rules: Rule[]) =>
      formatsOf([1, 5], ...rules).map((found) => found?.fill ?? found?.format.fill?.color?.rgb);
    expect(fills(yellow, scale)).toEqual(['#000000', 'FFFF00']);
    expect(fills(scale, yellow)).toEqual(['#000000', '#ffffff']);
    const turned: Rule = { type: 'colorScale', points: points.toReversed() };
    expect(fills({ ...turned, points: [...points] }, scale)).toEqual(['#000000', '#ffffff']);
    const ends = [{ type: 'min' }, { type: 'max' }];
    const bar = (rgb: string): Rule => ({ type: 'dataBar', points: ends, color: { rgb } });
    expect(formatsOf([1, 5], bar('0000FF'), bar('00FF00'))[0]?.bar?.color).toBe('#0000ff');
  });

  it('[XS187] an empty cell counts as 0, as an empty text or as false, whichever it is compared with', () => {
    const holds = (operator: string, formula: string) =>
      formatsOf([null, 7, 'x'], { operator, formulas: [formula] }).flatMap((found, row) =>
        found ? [row] : [],
      );
    expect(holds('lessThan', '5')).toEqual([0]);
    expect(holds('equal', '0')).toEqual([0]);
    expect(holds('equal', '""')).toEqual([0]);
    expect(holds('notEqual', '"x"')).toEqual([0, 1]);
    expect(holds('equal', 'FALSE')).toEqual([0]);
    // Numbers come before texts, and texts before truth values.
    expect(holds('greaterThan', '5')).toEqual([1, 2]);
    expect(holds('lessThan', 'TRUE')).toEqual([0, 1, 2]);
  });

  it('[XS16] words that a cell names are looked for as the formula says', () => {
    const rule: Rule = { type: 'containsText', operator: 'containsText', formulas: ['ISODD(A1)'] };
    expect(holdsFor(rule)).toEqual([2]);
  });

  it('[XS188] bars go to both sides of nothing, those of less in red; an end that is chosen counts', () => {
    const bars = (values: readonly number[], ...points: { type: string; value?: string }[]) =>
      formatsOf(values, { type: 'dataBar', points, color: { rgb: '0000FF' } }).map((found) => found?.bar);
    const [least, none, most] = bars([-1, 0, 3], { type: 'min' }, { type: 'max' });
    expect(least).toEqual({ from: 0, to: 0.25, color: '#ff0000', isSolid: false, axis: 0.25 });
    expect([none?.from, none?.to]).toEqual([0.25, 0.25]);
    expect(most).toEqual({ from: 0.25, to: 1, color: '#0000ff', isSolid: false, axis: 0.25 });
    const [only] = bars([-4, -2], { type: 'min' }, { type: 'max' });
    expect(only).toEqual({ from: 0, to: 1, color: '#ff0000', isSolid: false, axis: null });
    const [, second] = bars([90, 95, 100], { type: 'num', value: '90' }, { type: 'max' });
    expect([second?.from, second?.to]).toEqual([0, 0.5]);
  });

  it('[XS188] icons of a file that does not say from where on are not guessed', () => {
    const icons = formatsOf([1, 2], { type: 'iconSet', icons: '3Stars' });
    expect(icons.map((found) => found?.icon)).toEqual([null, null]);
  });

  it('[XS181] icons that are chosen one by one are drawn, or none, and a bar in one colour', () => {
    const points = [
      { type: 'num', value: '0', icon: ['NoIcons', 0] as const },
      { type: 'num', value: '2', icon: ['5Quarters', 4] as const },
      { type: 'num', value: '3' },
    ];
    const rule = { type: 'iconSet', icons: '3Flags', points, showsValue: false } as unknown as Rule;
    const icons = formatsOf([1, 2, 3], rule);
    expect(icons.map((found) => found?.icon)).toEqual([
      null,
      { set: '5Quarters', place: 4, count: 5 },
      { set: '3Flags', place: 2, count: 3 },
    ]);
    expect(icons.map((found) => found?.hidesText)).toEqual([true, true, true]);
    const [bar] = formatsOf([1, 2], {
      ...{ type: 'dataBar', solid: true },
      points: [{ type: 'min' }, { type: 'max' }],
    });
    expect(bar?.bar?.isSolid).toBe(true);
  });
});
