import type { Cell } from '../../../model/cell/cell.ts';
import { isReference } from '../../../model/cell/formula/formula-parts.ts';
import type { Grid } from '../../../model/cell/grid.ts';
import { type AlignedLines, alignedLines } from './aligned-lines.ts';

/** What a column holds, wherever its rows are: how often each text is in it. */
interface ColumnTexts {
  readonly place: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly size: number;
}

/** So many pairs of columns are looked at; of more that differ, those in the same place are taken for the same. */
const mostPairs = 40_000;

/** Finds columns again by what is in them, also where some cells, or rows, are others. */
export function alignColumns(older: Grid, newer: Grid): AlignedLines {
  const [from, to] = [columnTexts(older), columnTexts(newer)];
  let start = 0;
  let end = 0;
  const shorter = Math.min(from.length, to.length);
  const isSame = (one: ColumnTexts, other: ColumnTexts) =>
    one.size === other.size && likeness(one, other) === 1;
  while (start < shorter && from[start]!.place === to[start]!.place && isSame(from[start]!, to[start]!))
    start++;
  while (end < shorter - start && isSame(from.at(-1 - end)!, to.at(-1 - end)!)) end++;
  const [middle, others] = [from.slice(start, from.length - end), to.slice(start, to.length - end)];
  const pair = (one: ColumnTexts, other: ColumnTexts) => [one.place, other.place] as const;
  return alignedLines([
    ...from.slice(0, start).map((one, at) => pair(one, to[at]!)),
    ...(middle.length * others.length > mostPairs ? inPlace(middle, others) : mostAlike(middle, others)),
    ...from.slice(from.length - end).map((one, at) => pair(one, to[to.length - end + at]!)),
  ]);
}

function columnTexts(grid: Grid): ColumnTexts[] {
  const columns = new Map<number, Map<string, number>>();
  for (const [, { columns: places, cells }] of grid.rows()) {
    for (const [at, cell] of cells.entries()) {
      const text = textOf(cell);
      if (text === '') continue;
      const place = places[at]!;
      const counts = columns.get(place) ?? new Map<string, number>();
      columns.set(place, counts.set(text, (counts.get(text) ?? 0) + 1));
    }
  }
  return [...columns]
    .toSorted(([one], [other]) => one - other)
    .map(([place, counts]) => ({
      ...{ place, counts },
      size: [...counts.values()].reduce((sum, count) => sum + count, 0),
    }));
}

/** What is in a cell, without the places that its formula names: they may have moved. */
function textOf({ value, formula }: Cell): string {
  if (!formula) return value === null ? '' : JSON.stringify(value);
  return formula.parts
    .map((part) => (isReference(part) ? '#' : typeof part === 'string' ? part : JSON.stringify(part)))
    .join('');
}

/** The part of the larger column that is in both, from 0 to 1. */
function likeness(one: ColumnTexts, other: ColumnTexts): number {
  let shared = 0;
  for (const [text, count] of one.counts) shared += Math.min(count, other.counts.get(text) ?? 0);
  return shared / Math.max(one.size, other.size);
}

function inPlace(from: readonly ColumnTexts[], to: readonly ColumnTexts[]): (readonly [number, number])[] {
  const places = new Set(to.map(({ place }) => place));
  return from.flatMap(({ place }) => (places.has(place) ? [[place, place] as const] : []));
}

/** What a pair is worth that has nothing in common: as many columns as possible are taken for the same. */
const worthOfPair = 0.01;

/** Pairs that rise on both sides and are as much alike as they can be, taken together. */
function mostAlike(from: readonly ColumnTexts[], to: readonly ColumnTexts[]): (readonly [number, number])[] {
  const width = to.length + 1;
  const worth = from.map((one) => to.map((other) => likeness(one, other) + worthOfPair));
  // The best that can be had of the columns from a place on, on either side.
  const best = new Float64Array((from.length + 1) * width);
  for (let one = from.length - 1; one >= 0; one--) {
    for (let other = to.length - 1; other >= 0; other--) {
      const at = one * width + other;
      best[at] = Math.max(best[at + width + 1]! + worth[one]![other]!, best[at + width]!, best[at + 1]!);
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let [one, other] = [0, 0]; one < from.length && other < to.length; ) {
    const at = one * width + other;
    if (best[at] === best[at + width + 1]! + worth[one]![other]!) {
      pairs.push([from[one++]!.place, to[other++]!.place]);
    } else if (best[at] === best[at + width]) one++;
    else other++;
  }
  return pairs;
}
