import { type Area, type Axis, areaOf, lastColumn, lastRow } from './area.ts';
import type { Chart } from './chart.ts';
import type { ChartChange } from './chart-change.ts';
import type { Anchor, Item, ItemKind, ItemOf } from './items.ts';

/** What becomes of the places that items name: an area (null: it is gone), and the text of a formula. */
export interface PlaceChange {
  readonly area: (area: Area) => Area | null;
  readonly formula: (text: string) => string;
  /** Does the same to a list, and gives back that very one where nothing changes. */
  readonly formulas?: (texts: readonly string[]) => readonly string[];
}

/** Where the places of an item are, by kind. */
interface ItemPlaces {
  /** One area: without it there is no item. */
  readonly area?: 'area';
  /** Several: without any there is no item. */
  readonly areas?: 'areas';
  readonly cell?: 'cell';
  readonly anchor?: 'anchor';
  readonly formula?: readonly string[];
  readonly formulas?: 'formulas';
}

const itemPlaces: { readonly [Kind in ItemKind]: ItemPlaces } = {
  merge: { area: 'area' },
  filter: { area: 'area' },
  condition: { areas: 'areas', formulas: 'formulas' },
  validation: { areas: 'areas', formulas: 'formulas' },
  table: { area: 'area' },
  link: { area: 'area', formula: ['location'] },
  comment: { cell: 'cell' },
  drawing: { anchor: 'anchor' },
  openRange: { areas: 'areas' },
  pivot: { area: 'area' },
  pageBreak: { cell: 'cell' },
  name: { formula: ['formula'] },
  book: {},
  held: { formulas: 'formulas' },
};

type Fields = Record<string, unknown>;

/**
 * An item, or some of its fields, with its places changed; the very same where nothing changes, null where its place is gone.
 */
export function changePlaces<Fielded extends Item | Fields>(
  kind: ItemKind,
  item: Fielded,
  change: PlaceChange,
): Fielded | null {
  const places = itemPlaces[kind];
  const fields = item as Fields;
  const changed: Fields = {};
  if (places.area && fields.area) {
    const area = change.area(fields.area as Area);
    if (!area) return null;
    if (area !== fields.area) changed.area = area;
  }
  if (places.areas && fields.areas) {
    const areas = fields.areas as readonly Area[];
    const next = areas.map(change.area).filter((area) => area !== null);
    if (next.length === 0) return null;
    if (next.length !== areas.length || next.some((area, at) => area !== areas[at])) changed.areas = next;
  }
  if (places.cell && fields.cell) {
    const cell = changeCell(fields.cell as CellPlace, fields.axis as Axis | undefined, change);
    if (!cell) return null;
    if (cell.some((line, at) => line !== (fields.cell as CellPlace)[at])) changed.cell = cell;
  }
  if (places.anchor && fields.anchor) {
    const anchor = changeAnchor(fields.anchor as Anchor, change);
    if (anchor !== fields.anchor) changed.anchor = anchor;
  }
  for (const name of places.formula ?? []) {
    const text = fields[name];
    const next = typeof text === 'string' ? change.formula(text) : text;
    if (next !== text) changed[name] = next;
  }
  if (places.formulas && fields.formulas) {
    const texts = fields.formulas as readonly string[];
    const next = change.formulas ? change.formulas(texts) : changeAll(texts, change.formula);
    if (next !== fields.formulas) changed.formulas = next;
  }
  if (kind === 'drawing' && fields.chart) {
    const chart = changeChart(fields.chart as Chart, change.formula);
    if (chart !== fields.chart) changed.chart = chart;
  }
  if (kind === 'table' && fields.columns) {
    const columns = changeTableFormulas(fields.columns as ItemOf<'table'>['columns'], change.formula);
    if (columns !== fields.columns) changed.columns = columns;
  }
  if (fields.area && (kind === 'table' || kind === 'filter')) {
    Object.assign(changed, changedColumns(kind, { ...fields, ...changed }, fields.area as Area, change.area));
  }
  return Object.keys(changed).length === 0 ? item : { ...item, ...changed };
}

type CellPlace = readonly [row: number, column: number];

/** What stands before a whole row or column (`axis`) goes with that, whatever becomes of its cells. */
function changeCell([row, column]: CellPlace, axis: Axis | undefined, change: PlaceChange): CellPlace | null {
  if (axis === undefined) {
    const area = change.area([row, column, row, column]);
    return area && [area[0], area[1]];
  }
  const line = axis === 'row' ? row : column;
  const area = change.area(areaOf(axis, line, line));
  if (!area) return null;
  return axis === 'row' ? [area[0], column] : [row, area[1]];
}

function changeAll(texts: readonly string[], change: (text: string) => string): readonly string[] {
  const next = texts.map(change);
  return next.every((text, at) => text === texts[at]) ? texts : next;
}

/**
 * A drawing never goes with cells: where all of its cells are gone it stays as it is. Its two corners follow as those of an area do, so
 * that they never pass each other.
 */
function changeAnchor(anchor: Anchor, { area }: PlaceChange): Anchor {
  const { from, to = from } = anchor;
  const given: Area = [from[0], from[1], to[0], to[1]];
  const isOrdered = from[0] <= to[0] && from[1] <= to[1];
  const next = anchor.follows === 'none' || !isOrdered ? null : area(given);
  if (!next || next.every((side, at) => side === given[at])) return anchor;
  const isGone = ([row, column]: Anchor['from']) => ({
    row: area([row, given[1], row, given[3]]) === null,
    column: area([given[0], column, given[2], column]) === null,
  });
  const [first, last] = [isGone(from), isGone(to)];
  const start: Anchor['from'] = [next[0], next[1], first.column ? 0 : from[2], first.row ? 0 : from[3]];
  if (!anchor.to) return { ...anchor, from: start };
  // What took the place of the last line is where the drawing ends.
  const end: Anchor['from'] = [
    Math.min(lastRow, next[2] + (last.row ? 1 : 0)),
    Math.min(lastColumn, next[3] + (last.column ? 1 : 0)),
    last.column ? 0 : to[2],
    last.row ? 0 : to[3],
  ];
  return { ...anchor, from: start, to: end };
}

/** A change of a chart with its references changed; the very same where nothing changes. */
export function changeChartChange(given: ChartChange, change: (text: string) => string): ChartChange {
  const changed: Fields = {};
  const ofPatch = changedTexts(given.patch ?? {}, titleNames, change);
  if (Object.keys(ofPatch).length > 0) changed.patch = { ...given.patch, ...ofPatch };
  const axes = changedEach(given.axes, (fields) => changedTexts(fields, titleNames, change));
  if (axes !== given.axes) changed.axes = axes;
  const series = changedEach(given.series, (fields) => changedTexts(fields, dataNames, change));
  if (series !== given.series) changed.series = series;
  return Object.keys(changed).length === 0 ? given : { ...given, ...changed };
}

function changedEach<Each extends Readonly<Record<string, object | null | undefined>>>(
  all: Each | undefined,
  change: (one: object) => Fields,
): Each | undefined {
  const changed = Object.entries(all ?? {}).flatMap(([name, one]) => {
    const fields = one ? change(one) : {};
    return Object.keys(fields).length === 0 ? [] : [[name, { ...one, ...fields }] as const];
  });
  return changed.length === 0 ? all : ({ ...all, ...Object.fromEntries(changed) } as Each);
}

const titleNames = ['titleFormula'] as const;
const dataNames = ['name', 'categories', 'values', 'sizes'] as const;

function changeChart(chart: Chart, change: (text: string) => string): Chart {
  const changed: Fields = changedTexts(chart, titleNames, change);
  const series = chart.series.map((one) => {
    const texts = changedTexts(one, dataNames, change);
    return Object.keys(texts).length === 0 ? one : { ...one, ...texts };
  });
  if (series.some((one, at) => one !== chart.series[at])) changed.series = series;
  const axes = Object.entries(chart.axes ?? {}).flatMap(([name, axis]) => {
    const texts = axis ? changedTexts(axis, titleNames, change) : {};
    return Object.keys(texts).length === 0 ? [] : [[name, { ...axis, ...texts }] as const];
  });
  if (axes.length > 0) changed.axes = { ...chart.axes, ...Object.fromEntries(axes) };
  return Object.keys(changed).length === 0 ? chart : { ...chart, ...changed };
}

/** Those of the texts of an object that a change makes others. */
function changedTexts<Name extends string>(
  of: { readonly [Each in Name]?: unknown },
  names: readonly Name[],
  change: (text: string) => string,
): Fields {
  const changed: Fields = {};
  for (const name of names) {
    const text = of[name];
    const next = typeof text === 'string' ? change(text) : text;
    if (next !== text) changed[name] = next;
  }
  return changed;
}

type TableColumns = ItemOf<'table'>['columns'];

function changeTableFormulas(columns: TableColumns, change: (text: string) => string): TableColumns {
  let isChanged = false;
  const next = columns.map((column) => {
    const changed = changedTexts(column, ['formula', 'totalsFormula'], change);
    if (Object.keys(changed).length === 0) return column;
    isChanged = true;
    return { ...column, ...changed };
  });
  return isChanged ? next : columns;
}

/** What says of columns where they stand in an area, where some of them stand elsewhere in it now. @param fields with the area as it is now */
function changedColumns(
  kind: 'table' | 'filter',
  fields: Fields,
  before: Area,
  area: PlaceChange['area'],
): Fields {
  const after = fields.area as Area;
  const places = columnPlaces(before, after, area);
  if (places.length === after[3] - after[1] + 1 && places.every((place, at) => place === at)) return {};
  const changed: Fields = {};
  if (kind === 'table' && fields.columns)
    changed.columns = tableColumns(fields.columns as TableColumns, places, after);
  const counted = ['sorted', kind === 'table' ? 'filter' : 'columns'];
  for (const name of counted) {
    const columns = fields[name] as readonly { readonly column: number }[] | undefined;
    if (!columns) continue;
    const left = columns.flatMap((column) => {
      const place = places[column.column] ?? -1;
      return place < 0 ? [] : [{ ...column, column: place }];
    });
    changed[name] = left.length > 0 || name === 'columns' ? left : undefined;
  }
  return changed;
}

/** Where the columns of an area stand after a change: their places in the new area, or -1 for those that are gone. */
function columnPlaces(before: Area, after: Area, area: PlaceChange['area']): number[] {
  const places: number[] = [];
  for (let column = before[1]; column <= before[3]; column++) {
    const next = area([before[0], column, before[2], column]);
    const place = next && next[1] === next[3] ? next[1] - after[1] : -1;
    places.push(place <= after[3] - after[1] ? place : -1);
  }
  return places;
}

/** New columns of a table get names that none has. @param places of those that there were */
function tableColumns(columns: TableColumns, places: readonly number[], after: Area): TableColumns {
  const count = after[3] - after[1] + 1;
  const next: (TableColumns[number] | undefined)[] = new Array(count).fill(undefined);
  for (const [at, place] of places.entries()) {
    if (place >= 0) next[place] = columns[at];
  }
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  let number = 0;
  return next.map((column) => {
    if (column) return column;
    do number++;
    while (names.has(`column${number}`));
    return { name: `Column${number}` };
  });
}
