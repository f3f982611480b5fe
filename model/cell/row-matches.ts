import type { Cell } from './cell.ts';
import { formatKey } from './cell-format.ts';
import { cellIn, type Row } from './row.ts';

/** A row of an earlier version, or of the file that a version was opened from. */
export interface EarlierRow {
  readonly place: number;
  /** Undefined for one that says nothing. */
  readonly row: Row | undefined;
}

/** What a cell is whatever its references lead to: cells that have moved without having been changed have the same. */
export function signatureOf({ value, formula, format }: Cell): string {
  const shape = formula?.parts.map((part) => (typeof part === 'string' ? part : '\u0000')).join('');
  return `${format} ${shape === undefined ? formatKey(value) : `=${shape}`}`;
}

/**
 * Finds where rows come from: by the rows and cells themselves, which versions of a sheet share, and for what is left by where
 * rows around it come from.
 */
export class RowMatcher<Source extends EarlierRow> {
  readonly #source: readonly Source[];
  readonly #at = new Map<number, Source>();
  readonly #matched = new Map<number, Source>();
  readonly #claimed = new Set<Source>();
  readonly #same = new Set<number>();

  constructor(source: readonly Source[]) {
    this.#source = source;
    for (const one of source) if (!this.#at.has(one.place)) this.#at.set(one.place, one);
  }

  /** By place in the later version; nothing for a new row. */
  get sources(): ReadonlyMap<number, Source> {
    return this.#matched;
  }

  /** Rows that are the very same, in the same place. */
  get same(): ReadonlySet<number> {
    return this.#same;
  }

  /** @param rows with their places, which rise */
  match(rows: Iterable<readonly [place: number, row: Row]>): void {
    let left: (readonly [number, Row])[] = [];
    for (const [place, row] of rows) {
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
  }

  #claim(place: number, source: Source): void {
    this.#matched.set(place, source);
    this.#claimed.add(source);
  }

  #take(
    rows: (readonly [number, Row])[],
    find: (row: Row) => Source | undefined,
  ): (readonly [number, Row])[] {
    return rows.filter(([place, row]) => {
      const source = find(row);
      if (!source) return true;
      this.#claim(place, source);
      return false;
    });
  }

  #byRow(): (row: Row) => Source | undefined {
    const known = new Map<Row, Source>();
    for (const one of this.#source) if (one.row && !this.#claimed.has(one)) known.set(one.row, one);
    return (row) => {
      const source = known.get(row);
      return source && !this.#claimed.has(source) ? source : undefined;
    };
  }

  #byCell(): (row: Row) => Source | undefined {
    const known = new Map<Cell, Source>();
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
  #bySignature(left: readonly (readonly [number, Row])[]): (row: Row) => Source | undefined {
    const known = new Map<string, Source[]>();
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
  #takeByVotes(left: (readonly [number, Row])[]): (readonly [number, Row])[] {
    const known = new Map<string, Source[]>();
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
      const votes = new Map<Source, number>();
      for (const cell of known.size > 0 ? row.cells : [])
        for (const source of isTelling(cell) ? (known.get(signatureOf(cell)) ?? []) : [])
          if (!this.#claimed.has(source)) votes.set(source, (votes.get(source) ?? 0) + 1);
      const far = (source: Source) => Math.abs(source.place - place);
      const [best] = [...votes].sort(([a, one], [b, other]) => other - one || far(a) - far(b))[0] ?? [];
      if (!best) return true;
      this.#claim(place, best);
      return false;
    });
  }

  /** By how far the rows around them have moved. */
  #takeByPlace(rows: readonly (readonly [number, Row])[]): void {
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

/** Whether a cell says something, and does not only look like something. */
export const isTelling = ({ value, formula }: Cell): boolean => value !== null || formula !== null;

/** How many cells of a row are as in a row of the file, in the same columns. */
function likeness({ columns, cells }: Row, { row }: EarlierRow): number {
  if (!row) return -1;
  return columns.filter((column, at) => signatureOf(cellIn(row, column)) === signatureOf(cells[at]!)).length;
}
