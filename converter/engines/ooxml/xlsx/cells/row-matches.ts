import type { Cell } from '../../../../../model/cell/cell.ts';
import type { Grid } from '../../../../../model/cell/grid.ts';
import type { Row } from '../../../../../model/cell/row.ts';
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

/**
 * Finds where rows come from: by the rows and cells themselves, which versions of a sheet share, and for what is left by where
 * rows around it come from. What a row is taken for decides only which words of the file it keeps that the model does not hold.
 */
export function matchRows({ source }: SheetRows, grid: Grid): RowMatches {
  const matcher = new RowMatcher(source);
  return matcher.match(grid);
}

class RowMatcher {
  readonly #source: readonly SourceRow[];
  readonly #at = new Map<number, SourceRow>();
  readonly #matched = new Map<number, SourceRow>();
  readonly #claimed = new Set<SourceRow>();
  readonly #same = new Set<number>();

  constructor(source: readonly SourceRow[]) {
    this.#source = source;
    for (const one of source) if (!this.#at.has(one.place)) this.#at.set(one.place, one);
  }

  match(grid: Grid): RowMatches {
    let left: [number, Row][] = [];
    for (const [place, row] of grid.rows()) {
      const there = this.#at.get(place);
      if (there?.row === row) {
        this.#claim(place, there);
        this.#same.add(place);
      } else left.push([place, row]);
    }
    left = this.#take(left, this.#byRow());
    left = this.#take(left, this.#byCell());
    this.#takeByPlace(left);
    return this.#result();
  }

  #result(): RowMatches {
    const places = new Map<number, number>();
    let firstMoved = Number.POSITIVE_INFINITY;
    for (const [place, source] of this.#matched) {
      places.set(source.place, place);
      if (place !== source.place) firstMoved = Math.min(firstMoved, place, source.place);
    }
    return { sources: this.#matched, places, same: this.#same, firstMoved };
  }

  #claim(place: number, source: SourceRow): void {
    this.#matched.set(place, source);
    this.#claimed.add(source);
  }

  #take(rows: [number, Row][], find: (row: Row) => SourceRow | undefined): [number, Row][] {
    return rows.filter(([place, row]) => {
      const source = find(row);
      if (!source) return true;
      this.#claim(place, source);
      return false;
    });
  }

  #byRow(): (row: Row) => SourceRow | undefined {
    const known = new Map<Row, SourceRow>();
    for (const one of this.#source) if (one.row && !this.#claimed.has(one)) known.set(one.row, one);
    return (row) => {
      const source = known.get(row);
      return source && !this.#claimed.has(source) ? source : undefined;
    };
  }

  #byCell(): (row: Row) => SourceRow | undefined {
    const known = new Map<Cell, SourceRow>();
    for (const one of this.#source)
      if (one.row && !this.#claimed.has(one)) for (const cell of one.row.cells) known.set(cell, one);
    return ({ cells }) => {
      for (const cell of cells) {
        const source = known.get(cell);
        if (source && !this.#claimed.has(source)) return source;
      }
      return undefined;
    };
  }

  #takeByPlace(rows: readonly [number, Row][]): void {
    const known = [...this.#matched.keys()].sort((one, other) => one - other);
    let next = 0;
    let shift = 0;
    for (const [place] of rows) {
      while (next < known.length && known[next]! < place) {
        shift = known[next]! - this.#matched.get(known[next]!)!.place;
        next++;
      }
      const source = this.#at.get(place - shift);
      if (source && !this.#claimed.has(source)) this.#claim(place, source);
    }
  }
}
