import { areaOf, everything, lastRow } from '../../model/cell/area.ts';
import type { CellOperation } from '../../model/cell/operations.ts';
import type { Row } from '../../model/cell/row.ts';
import { StructureMap } from '../../model/cell/structure-map.ts';
import { type Sheet, sameName, sheetNamed, type Workbook } from '../../model/cell/workbook.ts';
import type { Effect } from './effects.ts';

/** What a row says, whatever it looks like. */
function rowText(row: Row): string {
  return row.cells
    .map(({ value, formula }, at) => {
      if (formula) return `${row.columns[at]}=${formula.text}`;
      return value === null ? '' : `${row.columns[at]}:${JSON.stringify(value)}`;
    })
    .filter((text) => text !== '')
    .join('\t');
}

function rowTexts({ grid }: Sheet): (readonly [place: number, text: string])[] {
  const texts: (readonly [number, string])[] = [];
  for (const [place, row] of grid.rows()) {
    const text = rowText(row);
    if (text !== '') texts.push([place, text]);
  }
  return texts;
}

/** Whether two readings of a file hold the same in their sheets, whatever these are called inside. */
export function sameSheets(one: Workbook, other: Workbook): boolean {
  return (
    one.sheets.length === other.sheets.length &&
    one.sheets.every((sheet, at) => {
      const counterpart = other.sheets[at]!;
      if (!sameName(sheet.properties.name, counterpart.properties.name)) return false;
      const [texts, others] = [rowTexts(sheet), rowTexts(counterpart)];
      return (
        texts.length === others.length &&
        texts.every(([place, text], index) => place === others[index]![0] && text === others[index]![1])
      );
    })
  );
}

/**
 * How one reading of a file became another one: sheets by their names, rows by what they say. Rows between those that are
 * found again keep their distance from the one before.
 */
export function sheetAlignment(from: Workbook, to: Workbook): Effect {
  const operation: CellOperation = { op: 'nothing' };
  const pieces: ConstructorParameters<typeof StructureMap>[1][number][] = [];
  for (const sheet of from.sheets) {
    const counterpart = sheetNamed(to, sheet.properties.name);
    if (!counterpart) continue;
    for (const [first, last, by] of runsBetween(rowTexts(sheet), rowTexts(counterpart))) {
      const area = areaOf('row', first, last, everything[1], everything[3]);
      pieces.push({ sheet: sheet.id, area, toSheet: counterpart.id, rows: by, columns: 0 });
    }
  }
  const map = new StructureMap(
    from.sheets.map(({ id }) => id),
    pieces,
  );
  return { operation, map, written: [] };
}

/** Runs of rows that moved alike: first, last, and how far down. */
function runsBetween(
  from: readonly (readonly [number, string])[],
  to: readonly (readonly [number, string])[],
): (readonly [first: number, last: number, by: number])[] {
  const anchors = commonRows(from, to);
  const runs: [number, number, number][] = [];
  let start = 0;
  let by = 0;
  for (const [place, target] of anchors) {
    if (target - place !== by) {
      if (place > start) runs.push([start, Math.min(place - 1, lastRow - by), by]);
      start = place;
      by = target - place;
    }
  }
  runs.push([start, Math.min(lastRow, lastRow - by), by]);
  return runs.filter(([first, last]) => first <= last);
}

/** Pairs of rows that say the same and come in the same order: those whose text is there once, and what follows them. */
function commonRows(
  from: readonly (readonly [number, string])[],
  to: readonly (readonly [number, string])[],
): (readonly [number, number])[] {
  const once = (rows: typeof from) => {
    const counts = new Map<string, number>();
    for (const [, text] of rows) counts.set(text, (counts.get(text) ?? 0) + 1);
    return counts;
  };
  const [counts, others] = [once(from), once(to)];
  const targets = new Map(to.map(([place, text]) => [text, place]));
  const pairs = from.flatMap(([place, text]): [number, number][] =>
    counts.get(text) === 1 && others.get(text) === 1 ? [[place, targets.get(text)!]] : [],
  );
  return longestRising(pairs);
}

/** The longest part of some pairs in which the second rises with the first. */
export function longestRising(pairs: readonly [number, number][]): (readonly [number, number])[] {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, [, target]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![1] < target) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = at;
  }
  const found: [number, number][] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) found.unshift(pairs[at]!);
  return found;
}
