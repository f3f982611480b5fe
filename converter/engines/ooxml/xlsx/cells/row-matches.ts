import type { Grid } from '../../../../../model/cell/grid.ts';
import { RowMatcher } from '../../../../../model/cell/row-matches.ts';
import type { SheetRows, SourceRow } from './sheet-rows.ts';

/** Which rows of the file the rows of a sheet come from. */
export interface RowMatches {
  /** By place in the sheet; nothing for a new row. */
  readonly sources: ReadonlyMap<number, SourceRow>;
  /** By place in the file. */
  readonly places: ReadonlyMap<number, number>;
  /** Rows of the file that are the very same, in the same place. */
  readonly same: ReadonlySet<number>;
  /** The first place at or behind which rows are elsewhere than in the file; Infinity where none is. */
  readonly firstMoved: number;
}

/** Finds where rows come from. What a row is taken for decides only which words of the file it keeps that the model does not hold. */
export function matchRows({ source }: SheetRows, grid: Grid): RowMatches {
  const matcher = new RowMatcher(source);
  matcher.match(grid.rows());
  const { sources, same } = matcher;
  const places = new Map<number, number>();
  let firstMoved = Number.POSITIVE_INFINITY;
  for (const [place, row] of sources) {
    places.set(row.place, place);
    if (place !== row.place) firstMoved = Math.min(firstMoved, place, row.place);
  }
  return { sources, places, same, firstMoved };
}
