import type { Area } from '../../../model/cell/area.ts';
import { heightOf, isWholeColumns, isWholeRows, widthOf } from '../grid/cell-areas.ts';
import type { SheetScene } from '../shown/sheet-scene.ts';

/** Cells that are copied at once: where each of some rows crosses each of some columns. */
export interface CopiedBlock {
  /** In order, without those that a filter hides. */
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  /** The areas of the sheet that they are of. */
  readonly areas: readonly Area[];
  readonly hasWholeRows: boolean;
  readonly hasWholeColumns: boolean;
}

/** So many cells are copied as they are selected, whatever is in them. */
const mostUntrimmed = 10_000;

/**
 * What of some areas is copied. Whole rows and columns end where nothing more is. Several areas have to be of the same rows, or of the
 * same columns; null for others.
 */
export function copiedBlock(
  { used, sheet }: Pick<SheetScene, 'used' | 'sheet'>,
  ranges: readonly Area[],
): CopiedBlock | null {
  const [first, ...others] = ranges as [Area, ...Area[]];
  const isRow = others.every(([top, , bottom]) => top === first[0] && bottom === first[2]);
  const isColumn = others.every(([, left, , right]) => left === first[1] && right === first[3]);
  if (!isRow && !isColumn) return null;
  const isSmall =
    ranges.reduce((count, range) => count + heightOf(range) * widthOf(range), 0) <= mostUntrimmed;
  const lastRow = Math.max(used?.[2] ?? 0, ...ranges.map(([top]) => top));
  const lastColumn = Math.max(used?.[3] ?? 0, ...ranges.map(([, left]) => left));
  const areas = isSmall
    ? ranges
    : ranges.map(
        ([top, left, bottom, right]): Area => [
          top,
          left,
          Math.min(bottom, lastRow),
          Math.min(right, lastColumn),
        ],
      );
  const rows = isRow ? [areas[0]!] : areas;
  return {
    rows: linesIn(rows.map(([top, , bottom]) => [top, bottom])).filter(
      (row) => !sheet.grid.row(row)?.line.filtered,
    ),
    columns: linesIn((isRow ? areas : [areas[0]!]).map(([, left, , right]) => [left, right])),
    areas,
    hasWholeRows: ranges.every(isWholeRows),
    hasWholeColumns: ranges.every(isWholeColumns),
  };
}

/** The lines of some spans in order, each once. */
function linesIn(spans: readonly (readonly [from: number, to: number])[]): number[] {
  const lines: number[] = [];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    for (let line = Math.max(from, (lines.at(-1) ?? -1) + 1); line <= to; line++) lines.push(line);
  }
  return lines;
}
