import { type CellRange, heightOf, isWholeColumns, isWholeRows, widthOf } from '../grid/cell-range.ts';
import type { SheetScene } from '../shown/sheet-scene.ts';

/** Cells that are copied at once: where each of some rows crosses each of some columns. */
export interface CopiedBlock {
  /** In order, without those that a filter hides. */
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  /** The areas of the sheet that they are of. */
  readonly areas: readonly CellRange[];
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
  ranges: readonly CellRange[],
): CopiedBlock | null {
  const [first, ...others] = ranges as [CellRange, ...CellRange[]];
  const isRow = others.every(({ top, bottom }) => top === first.top && bottom === first.bottom);
  const isColumn = others.every(({ left, right }) => left === first.left && right === first.right);
  if (!isRow && !isColumn) return null;
  const isSmall =
    ranges.reduce((count, range) => count + heightOf(range) * widthOf(range), 0) <= mostUntrimmed;
  const lastRow = Math.max(used?.bottom ?? 0, ...ranges.map(({ top }) => top));
  const lastColumn = Math.max(used?.right ?? 0, ...ranges.map(({ left }) => left));
  const areas = isSmall
    ? ranges
    : ranges.map((range) => ({
        ...range,
        bottom: Math.min(range.bottom, lastRow),
        right: Math.min(range.right, lastColumn),
      }));
  const rows = isRow ? [areas[0]!] : areas;
  return {
    rows: linesIn(rows.map(({ top, bottom }) => [top, bottom])).filter(
      (row) => !sheet.grid.row(row)?.line.filtered,
    ),
    columns: linesIn((isRow ? areas : [areas[0]!]).map(({ left, right }) => [left, right])),
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
