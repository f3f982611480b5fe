import type { Item, ItemKind, ItemOf } from './items.ts';

/** Words of which xlsx knows a list, as its schemas have them (18.18 of ECMA-376, and the extension of 2009). */
const conditionTypes = new Set([
  ...['expression', 'cellIs', 'colorScale', 'dataBar', 'iconSet', 'top10', 'uniqueValues', 'duplicateValues'],
  ...['containsText', 'notContainsText', 'beginsWith', 'endsWith', 'containsBlanks', 'notContainsBlanks'],
  ...['containsErrors', 'notContainsErrors', 'timePeriod', 'aboveAverage'],
]);
const comparisons = ['lessThan', 'lessThanOrEqual', 'equal', 'notEqual', 'greaterThanOrEqual', 'greaterThan'];
const conditionOperators = new Set([
  ...[...comparisons, 'between', 'notBetween', 'containsText', 'notContains', 'beginsWith', 'endsWith'],
]);
const periods = new Set([
  ...['today', 'yesterday', 'tomorrow', 'last7Days', 'thisMonth', 'lastMonth', 'nextMonth'],
  ...['thisWeek', 'lastWeek', 'nextWeek'],
]);
const pointTypes = new Set(['num', 'percent', 'max', 'min', 'formula', 'percentile', 'autoMin', 'autoMax']);
const iconSets = new Set([
  ...['3Arrows', '3ArrowsGray', '3Flags', '3TrafficLights1', '3TrafficLights2', '3Signs', '3Symbols'],
  ...['3Symbols2', '4Arrows', '4ArrowsGray', '4RedToBlack', '4Rating', '4TrafficLights', '5Arrows'],
  ...['5ArrowsGray', '5Rating', '5Quarters', '3Stars', '3Triangles', '5Boxes', 'NoIcons'],
]);
const validationOperators = new Set([...comparisons, 'between', 'notBetween']);
const filterOperators = new Set(comparisons);
const filterPeriods = new Set([
  ...['null', 'aboveAverage', 'belowAverage', 'tomorrow', 'today', 'yesterday', 'nextWeek', 'thisWeek'],
  ...['lastWeek', 'nextMonth', 'thisMonth', 'lastMonth', 'nextQuarter', 'thisQuarter', 'lastQuarter'],
  ...['nextYear', 'thisYear', 'lastYear', 'yearToDate', 'Q1', 'Q2', 'Q3', 'Q4'],
  ...Array.from({ length: 12 }, (_, month) => `M${month + 1}`),
]);
const totalsFunctions = new Set([
  ...['none', 'sum', 'min', 'max', 'average', 'count', 'countNums', 'stdDev', 'var', 'custom'],
]);

type Said = readonly [list: ReadonlySet<string>, word: string | undefined];

function saidByFilter(columns: ItemOf<'filter'>['columns'] = []): Said[] {
  return columns.flatMap(({ conditions = [], dynamic }): Said[] => [
    [filterPeriods, dynamic],
    ...conditions.map(({ operator }): Said => [filterOperators, operator]),
  ]);
}

const said: { readonly [Kind in ItemKind]?: (item: ItemOf<Kind>) => readonly Said[] } = {
  condition: ({ type, operator, period, icons, points = [] }) => [
    [conditionTypes, type],
    [conditionOperators, operator],
    [periods, period],
    [iconSets, icons],
    ...points.map((point): Said => [pointTypes, point.type]),
  ],
  validation: ({ operator }) => [[validationOperators, operator]],
  filter: ({ columns }) => saidByFilter(columns),
  table: ({ columns, filter }) => [
    ...columns.map(({ totalsFunction }): Said => [totalsFunctions, totalsFunction]),
    ...saidByFilter(filter),
  ],
};

/** What an item says for which xlsx has no word. A file may have such words, which stay in it. */
export function unknownWords(kind: ItemKind, item: Item): ReadonlySet<string> {
  const words = (said[kind] as ((item: Item) => readonly Said[]) | undefined)?.(item) ?? [];
  return new Set(words.flatMap(([list, word]) => (word === undefined || list.has(word) ? [] : [word])));
}
