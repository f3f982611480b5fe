import type { Cell } from '../../../../../model/cell/cell.ts';
import type { Grid } from '../../../../../model/cell/grid.ts';
import { cellIn, type Row } from '../../../../../model/cell/row.ts';
import { signatureOf } from './cell-matches.ts';
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
    left = this.#take(left, this.#bySignature(left));
    left = this.#takeByVotes(left);
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

  /** By what rows are, in the order of the file. */
  #bySignature(left: readonly [number, Row][]): (row: Row) => SourceRow | undefined {
    const known = new Map<string, SourceRow[]>();
    const signature = ({ cells }: Row) => cells.map(signatureOf).join();
    for (const one of left.length > 0 ? this.#source : []) {
      if (!one.row || this.#claimed.has(one) || one.row.cells.length === 0) continue;
      const key = signature(one.row);
      const rows = known.get(key);
      if (rows) rows.push(one);
      else known.set(key, [one]);
    }
    for (const rows of known.values()) rows.reverse();
    return (row) => known.get(signature(row))?.pop();
  }

  /** By how many of their cells are as in a row of the file; of several the nearest. */
  #takeByVotes(left: [number, Row][]): [number, Row][] {
    const known = new Map<string, SourceRow[]>();
    for (const one of left.length > 0 ? this.#source : []) {
      if (!one.row || this.#claimed.has(one)) continue;
      for (const cell of one.row.cells) {
        const rows = isTelling(cell) ? (known.get(signatureOf(cell)) ?? []) : [];
        if (rows.length >= MOST_VOTERS) continue;
        rows.push(one);
        known.set(signatureOf(cell), rows);
      }
    }
    return left.filter(([place, row]) => {
      const votes = new Map<SourceRow, number>();
      for (const cell of known.size > 0 ? row.cells : [])
        for (const source of isTelling(cell) ? (known.get(signatureOf(cell)) ?? []) : [])
          if (!this.#claimed.has(source)) votes.set(source, (votes.get(source) ?? 0) + 1);
      const far = (source: SourceRow) => Math.abs(source.place - place);
      const [best] = [...votes].sort(([a, one], [b, other]) => other - one || far(a) - far(b))[0] ?? [];
      if (!best) return true;
      this.#claim(place, best);
      return false;
    });
  }

  /** By how far the rows around them have moved. */
  #takeByPlace(rows: readonly [number, Row][]): void {
    const known = [...this.#matched.keys()].sort((one, other) => one - other);
    const shiftAt = (index: number) => {
      const place = known[index];
      return place === undefined ? undefined : place - this.#matched.get(place)!.place;
    };
    let next = 0;
    for (const [place, row] of rows) {
      while (next < known.length && known[next]! < place) next++;
      const shifts = [shiftAt(next - 1) ?? 0, shiftAt(next) ?? shiftAt(next - 1) ?? 0];
      const found = [...new Set(shifts)]
        .map((shift) => this.#at.get(place - shift))
        .filter((source) => source !== undefined && !this.#claimed.has(source));
      const [best] = found.sort((one, other) => likeness(row, other!) - likeness(row, one!));
      if (best) this.#claim(place, best);
    }
  }
}

/** Rows in which the same content says where another row comes from; what is in more of them says nothing. */
const MOST_VOTERS = 16;

const isTelling = ({ value, formula }: Cell): boolean => value !== null || formula !== null;

/** How many cells of a row are as in a row of the file, in the same columns. */
function likeness({ columns, cells }: Row, { row }: SourceRow): number {
  if (!row) return -1;
  return columns.filter((column, at) => signatureOf(cellIn(row, column)) === signatureOf(cells[at]!)).length;
}
