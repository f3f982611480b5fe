import { expect, it } from 'vitest';
import type { ConditionDraft } from '../../commands/conditions.ts';
import { conditionName } from './condition-words.ts';
import { typedCondition } from './typed-condition.ts';

const theme = ['FFFFFF', '000000', 'E7E6E6', '44546A', '112233'];

/** What a form says that shows a rule, with some of its fields filled in. */
function typed(before: ConditionDraft, fields: Readonly<Record<string, string>>): ConditionDraft | null {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const choice = { type: before.type, operator: before.operator ?? 'greaterThan', count: 1 };
  return typedCondition(form, choice, { settings: { locale: 'en' }, before, theme });
}

it('[XS192] a rule that is changed keeps what its form does not show', () => {
  const looks: ConditionDraft = {
    type: 'cellIs',
    operator: 'greaterThan',
    values: ['1'],
    format: {
      number: '0.00',
      font: { color: { theme: 4 }, underline: 'single', bold: true },
      fill: { pattern: 'lightUp', color: { rgb: 'AABBCC' } },
    },
  };
  const shown = { fillOn: 'on', fill: '#aabbcc', fontOn: 'on', font: '#112233', bold: 'on' };
  expect(typed(looks, { ...shown, one: '2' })).toEqual({ ...looks, values: ['2'] });
  expect(typed(looks, { ...shown, one: '2', font: '#ff0000' })?.format?.font?.color).toEqual({
    rgb: 'FF0000',
  });
  expect(typed(looks, { ...shown, one: '2', fill: '#ff0000' })?.format?.fill).toEqual({
    pattern: 'solid',
    color: { rgb: 'FF0000' },
  });
  const below: ConditionDraft = { type: 'aboveAverage', aboveAverage: false, deviations: 1, format: {} };
  expect(typed(below, { average: 'below' })).toEqual(below);
});

it('[XS192] scales, bars and icons keep where their points are; a scale may be of two colours', () => {
  const scale: ConditionDraft = {
    type: 'colorScale',
    points: [
      { type: 'num', value: '3', color: { theme: 4 } },
      { type: 'max', color: { rgb: 'FFFFFF' } },
    ],
  };
  const ends = { low: '#112233', high: '#ffffff', middle: '#ffeb84' };
  expect(typed(scale, ends)).toEqual(scale);
  const three = typed(scale, { ...ends, middleOn: 'on' });
  expect(three?.points?.map(({ type }) => type)).toEqual(['num', 'percentile', 'max']);
  const bar: ConditionDraft = {
    type: 'dataBar',
    points: [
      { type: 'num', value: '0' },
      { type: 'num', value: '100' },
    ],
    color: { theme: 4 },
    showsValue: false,
  };
  expect(typed(bar, { bar: '#112233', hidesValue: 'on' })).toEqual(bar);
  const { showsValue: _, ...shown } = bar;
  expect(typed(bar, { bar: '#112233' })).toEqual(shown);
  expect(typed(bar, { bar: '#112233', solid: 'on' })).toEqual({ ...shown, solid: true });
  const icons: ConditionDraft = {
    type: 'iconSet',
    icons: '3Signs',
    points: ['0', '1', '9'].map((value) => ({ type: 'num', value })),
    showsValue: false,
  };
  expect(typed(icons, { icons: '3Signs', hidesValue: 'on' })).toEqual(icons);
  expect(typed(icons, { icons: '4Rating' })?.points).toHaveLength(4);
});

it('[XC46] where each icon begins is said in its fields, and stays where nobody changes it', () => {
  const icons: ConditionDraft = {
    ...{ type: 'iconSet', icons: '3Signs' },
    points: [
      { type: 'percent', value: '0' },
      { type: 'num', value: '1.5', inclusive: false },
      { type: 'formula', value: 'MAX(A1,B1)' },
    ],
  };
  const shown = {
    icons: '3Signs',
    step1: '1.5',
    stepType1: 'num',
    step2: '=MAX(A1,B1)',
    stepType2: 'percent',
  };
  expect(typed(icons, shown)).toEqual(icons);
  expect(typed(icons, { ...shown, step1: '20', stepType1: 'percentile', step2: '90%' })?.points).toEqual([
    { type: 'percent', value: '0' },
    { type: 'percentile', value: '20', inclusive: false },
    { type: 'percent', value: '90' },
  ]);
  expect(typed(icons, { ...shown, step2: '=SUM(A:A)+B$1' })?.points?.[2]).toEqual({
    ...{ type: 'formula', value: 'SUM($A:$A)+$B$1' },
  });
  expect([typed(icons, { ...shown, step1: 'x' }), typed(icons, { ...shown, step2: '' })]).toEqual([
    null,
    null,
  ]);
});

it('[XS181] icons that are chosen one by one stay with their set', () => {
  const icons: ConditionDraft = {
    ...{ type: 'iconSet', icons: '3Signs' },
    points: [
      { type: 'num', value: '0', icon: ['NoIcons', 0] },
      { type: 'num', value: '1' },
      { type: 'num', value: '9' },
    ],
  };
  expect(typed(icons, { icons: '3Signs' })).toEqual(icons);
  expect(typed(icons, { icons: '3Flags' })?.points?.map(({ icon }) => icon)).toEqual(
    Array(3).fill(undefined),
  );
});

it('[XS193] a rule is called by all that it asks for, as people of the language write it', () => {
  const name = (draft: ConditionDraft, locale = 'en') => conditionName(draft, locale);
  expect(name({ type: 'top10', rank: 5, percent: true, bottom: true })).toMatch(/lowest 5 %$/i);
  expect(name({ type: 'aboveAverage', aboveAverage: false })).not.toBe(name({ type: 'aboveAverage' }));
  expect(name({ type: 'expression', values: ['SUM(A1,1.5)>2'] }, 'de')).toContain('=SUM(A1;1,5)>2');
  expect(name({ type: 'cellIs', operator: 'equal', values: ['"late"'] })).toMatch(/ late$/);
});
