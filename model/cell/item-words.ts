import type { Item, ItemKind, ItemOf } from './items.ts';

/** Words of which xlsx knows a list, as its schemas have them (18.18 of ECMA-376, and the extension of 2009). */
const words = (list: string): RegExp => new RegExp(`^(?:${list})$`);
const compared = '(?:less|greater)Than(?:OrEqual)?|equal|notEqual';
const conditionTypes = words(
  'expression|cellIs|colorScale|dataBar|iconSet|top10|(?:unique|duplicate)Values|(?:c|notC)ontains(?:Text|Blanks|Errors)|beginsWith|endsWith|timePeriod|aboveAverage',
);
const conditionOperators = words(
  `${compared}|between|notBetween|containsText|notContains|beginsWith|endsWith`,
);
const periods = words('today|yesterday|tomorrow|last7Days|(?:last|this|next)(?:Week|Month)');
const pointTypes = words('num|percent|formula|percentile|max|min|autoMin|autoMax');
const iconSets = words(
  '[345]Arrows(?:Gray)?|3(?:Flags|TrafficLights[12]|Signs|Symbols2?|Stars|Triangles)|4(?:RedToBlack|TrafficLights)|[45]Rating|5(?:Quarters|Boxes)|NoIcons',
);
const validationOperators = words(`${compared}|between|notBetween`);
const filterOperators = words(compared);
const filterPeriods = words(
  'null|(?:above|below)Average|today|yesterday|tomorrow|(?:last|this|next)(?:Week|Month|Quarter|Year)|yearToDate|Q[1-4]|M(?:[1-9]|1[0-2])',
);
const totalsFunctions = words('none|sum|min|max|average|count|countNums|stdDev|var|custom');

type Said = readonly [list: RegExp, word: string | undefined];

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
    ...points.flatMap(({ type: point, icon }): Said[] => [
      [pointTypes, point],
      [iconSets, icon?.[0]],
    ]),
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
  const all = (said[kind] as ((item: Item) => readonly Said[]) | undefined)?.(item) ?? [];
  return new Set(all.flatMap(([list, word]) => (word === undefined || list.test(word) ? [] : [word])));
}
