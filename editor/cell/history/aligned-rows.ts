import { longestRising } from '../../../client/cell/sheet-alignment.ts';
import { Formula } from '../../../model/cell/formula/formula.ts';
import { isReference } from '../../../model/cell/formula/formula-parts.ts';
import type { Grid } from '../../../model/cell/grid.ts';
import type { Row } from '../../../model/cell/row.ts';
import { type AlignedLines, alignedLines } from './aligned-lines.ts';

/**
 * Finds rows again by what they say, also where formulas have moved with them. What lies between such rows is paired in order.
 * @param columns columns that only one of the versions has count for nothing
 */
export function alignRows(older: Grid, newer: Grid, columns: AlignedLines): AlignedLines {
  const kept = new Map(columns.pairs);
  const present = new Set(kept.values());
  const from = rowTexts(older, (column) => kept.get(column) ?? null, columns.placeNow);
  const to = rowTexts(
    newer,
    (column) => (present.has(column) ? column : null),
    (column) => column,
  );
  const pairs: (readonly [number, number])[] = [];
  let [a, b] = [0, 0];
  for (const [nextA, nextB] of [...anchorsIn(from, to), [from.length, to.length] as const]) {
    pairs.push(...pairsBetween(from.slice(a, nextA), to.slice(b, nextB)));
    if (nextA < from.length) pairs.push([from[nextA]!.place, to[nextB]!.place]);
    [a, b] = [nextA + 1, nextB + 1];
  }
  return alignedLines(pairs);
}

interface RowText {
  readonly place: number;
  readonly text: string;
}

/**
 * @param nameOf what a column is called in both versions; null for one that only this version has
 * @param placeOf where the column of a reference is now
 */
function rowTexts(
  grid: Grid,
  nameOf: (column: number) => number | null,
  placeOf: (column: number) => number,
): RowText[] {
  return [...grid.rows()].flatMap(([place, row]) => {
    const text = rowText(row, place, nameOf, placeOf);
    return text === '' ? [] : [{ place, text }];
  });
}

/** What a row says, whatever it looks like; references as far as they are from it. */
function rowText(
  { columns, cells }: Row,
  place: number,
  nameOf: (column: number) => number | null,
  placeOf: (column: number) => number,
): string {
  return cells
    .map(({ value, formula }, at) => {
      const name = nameOf(columns[at]!);
      if (name === null) return '';
      if (formula) return `${name}=${relativeText(formula, place, placeOf)}`;
      return value === null ? '' : `${name}:${JSON.stringify(value)}`;
    })
    .filter((text) => text !== '')
    .join('\t');
}

function relativeText(formula: Formula, row: number, placeOf: (column: number) => number): string {
  return formula.parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.type === 'linked')
        return part.prefix + relativeText(Formula.ofParts([part.reference]), row, (column) => column);
      if (!isReference(part)) return JSON.stringify(part);
      const [r1, c1, r2, c2] = part.area;
      const top = part.absolute & 1 ? r1 : r1 - row;
      const bottom = part.absolute & 4 ? r2 : r2 - row;
      const isOwn = part.sheet === null && part.type !== 'rows';
      const [left, right] = isOwn ? [placeOf(c1), placeOf(c2)] : [c1, c2];
      return JSON.stringify([part.sheet, part.absolute, top, left, bottom, right]);
    })
    .join('');
}

/** Places in the lists of rows that say the same, are there once in each version, and come in the same order. */
function anchorsIn(from: readonly RowText[], to: readonly RowText[]): (readonly [number, number])[] {
  const [places, others] = [placesOf(from), placesOf(to)];
  const pairs = from.flatMap(({ text }, at): [number, number][] => {
    const [there] = others.get(text) ?? [];
    return places.get(text)!.length === 1 && others.get(text)?.length === 1 ? [[at, there!]] : [];
  });
  return longestRising(pairs);
}

function placesOf(rows: readonly RowText[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, { text }] of rows.entries()) places.set(text, [...(places.get(text) ?? []), at]);
  return places;
}

/** Rows that say the same first, from above and from below, then the others in order. */
function pairsBetween(from: readonly RowText[], to: readonly RowText[]): (readonly [number, number])[] {
  let start = 0;
  let end = 0;
  const shorter = Math.min(from.length, to.length);
  while (start < shorter && from[start]!.text === to[start]!.text) start++;
  while (end < shorter - start && from.at(-1 - end)!.text === to.at(-1 - end)!.text) end++;
  return Array.from({ length: shorter }, (_, at) =>
    at < shorter - end
      ? ([from[at]!.place, to[at]!.place] as const)
      : ([from[at - shorter + from.length]!.place, to[at - shorter + to.length]!.place] as const),
  );
}

/** A formula of an older version as it is where its rows and columns are now. */
export function formulaNow(formula: Formula, rows: AlignedLines, columns: AlignedLines): Formula {
  const parts = formula.parts.map((part) => {
    if (!isReference(part) || part.sheet !== null) return part;
    const [r1, c1, r2, c2] = part.area;
    const [top, bottom] = part.type === 'columns' ? [r1, r2] : [rows.placeNow(r1), rows.placeNow(r2)];
    const [left, right] = part.type === 'rows' ? [c1, c2] : [columns.placeNow(c1), columns.placeNow(c2)];
    return { ...part, area: [top, left, bottom, right] as const };
  });
  return Formula.ofParts(parts, formula.span);
}
