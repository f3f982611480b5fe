import { blankCell, type Cell } from './cell.ts';
import type { Formula } from './formula/formula.ts';
import { cellIn, emptyRow, isEmptyRow, type Row, withCell } from './row.ts';

/** Rows that lie together: so many, of which those that hold something are kept. */
interface Chunk {
  readonly count: number;
  /** As many as there are; null: all are empty, however many. */
  readonly rows: readonly (Row | undefined)[] | null;
}

/** Rows of a chunk when it is made, and how many it may come to. */
const chunkRows = 128;
const maxChunkRows = 256;

const emptyChunk = (count: number): Chunk => ({ count, rows: null });

/** The rows of a chunk from one to another, as a chunk. */
function cut({ rows }: Chunk, from: number, to: number): Chunk {
  return { count: to - from, rows: rows?.slice(from, to) ?? null };
}

function chunked(rows: readonly (Row | undefined)[]): Chunk[] {
  if (rows.length <= maxChunkRows) return rows.length === 0 ? [] : [{ count: rows.length, rows }];
  const chunks: Chunk[] = [];
  for (let at = 0; at < rows.length; at += chunkRows) {
    const part = rows.slice(at, at + chunkRows);
    chunks.push({ count: part.length, rows: part.some((row) => row !== undefined) ? part : null });
  }
  return chunks;
}

function startsOf(chunks: readonly Chunk[]): number[] {
  const starts: number[] = [];
  let start = 0;
  for (const { count } of chunks) {
    starts.push(start);
    start += count;
  }
  starts.push(start);
  return starts;
}

/** The chunk that a row is in, by where chunks start; as many as there are where it lies behind all. */
function chunkAt(starts: readonly number[], row: number): number {
  let from = 0;
  let to = starts.length - 1;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (starts[middle + 1]! <= row) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The cells of a sheet, by row. Never changes; versions share the rows that are equal. Rows behind `height` are empty. */
export class Grid {
  static readonly empty = new Grid([]);

  readonly #chunks: readonly Chunk[];
  readonly #starts: readonly number[];

  private constructor(chunks: readonly Chunk[], starts = startsOf(chunks)) {
    this.#chunks = chunks;
    this.#starts = starts;
  }

  /** Rows with their places, which rise. */
  static of(rows: Iterable<readonly [place: number, row: Row]>): Grid {
    const edit = Grid.empty.edit();
    for (const [place, row] of rows) edit.setRow(place, row);
    return edit.done();
  }

  /** Rows behind so many are empty. */
  get height(): number {
    return this.#starts.at(-1)!;
  }

  row(place: number): Row | undefined {
    if (place >= this.height) return undefined;
    const at = chunkAt(this.#starts, place);
    return this.#chunks[at]!.rows?.[place - this.#starts[at]!];
  }

  cell(row: number, column: number): Cell {
    return cellIn(this.row(row), column);
  }

  /** The rows that hold something, with their places, from one to another. */
  *rows(from = 0, to = this.height - 1): Generator<readonly [place: number, row: Row]> {
    const end = Math.min(to, this.height - 1);
    for (let at = chunkAt(this.#starts, from); at < this.#chunks.length; at++) {
      const { rows } = this.#chunks[at]!;
      const start = this.#starts[at]!;
      if (start > end) return;
      if (!rows) continue;
      const last = Math.min(rows.length - 1, end - start);
      for (let offset = Math.max(0, from - start); offset <= last; offset++) {
        const row = rows[offset];
        if (row) yield [start + offset, row];
      }
    }
  }

  /**
   * Where the rows of two grids are not the very same: pairs of first and last place. What they share is not looked at, so
   * for a version of a grid this costs what has changed; behind an inserted row everything has.
   */
  static *differences(one: Grid, other: Grid): Generator<readonly [from: number, to: number]> {
    const height = Math.max(one.height, other.height);
    let [a, b] = [0, 0];
    let from = -1;
    let place = 0;
    while (place < height) {
      const first = one.#chunks[a];
      const second = other.#chunks[b];
      const end = Math.min(
        first ? one.#starts[a + 1]! : height,
        second ? other.#starts[b + 1]! : height,
        height,
      );
      const isSame =
        (first === second && one.#starts[a] === other.#starts[b]) ||
        (!first?.rows && !second?.rows) ||
        sameRows(one, a, other, b, place, end);
      if (!isSame && from < 0) from = place;
      if (isSame && from >= 0) {
        yield [from, place - 1];
        from = -1;
      }
      place = end;
      if (first && one.#starts[a + 1]! <= place) a++;
      if (second && other.#starts[b + 1]! <= place) b++;
    }
    if (from >= 0) yield [from, height - 1];
  }

  edit(): GridEdit {
    return new GridEdit(this.#chunks, this.#starts, (chunks, starts) => new Grid(chunks, starts));
  }

  insertRows(at: number, count: number): Grid {
    if (at >= this.height) return this;
    const place = chunkAt(this.#starts, at);
    const chunk = this.#chunks[place]!;
    const offset = at - this.#starts[place]!;
    let made: Chunk[];
    if (!chunk.rows) made = [emptyChunk(chunk.count + count)];
    else if (count <= chunkRows) {
      const rows = chunk.rows.toSpliced(offset, 0, ...new Array<undefined>(count).fill(undefined));
      made = chunked(rows);
    } else {
      made = [cut(chunk, 0, offset), emptyChunk(count), cut(chunk, offset, chunk.count)].filter(
        (part) => part.count > 0,
      );
    }
    return new Grid(this.#chunks.toSpliced(place, 1, ...made));
  }

  deleteRows(at: number, count: number): Grid {
    const end = Math.min(at + count, this.height);
    if (at >= end) return this;
    const first = chunkAt(this.#starts, at);
    const last = chunkAt(this.#starts, end - 1);
    const before = cut(this.#chunks[first]!, 0, at - this.#starts[first]!);
    const after = cut(this.#chunks[last]!, end - this.#starts[last]!, this.#chunks[last]!.count);
    const made = [before, after].filter(({ count: left }) => left > 0);
    return new Grid(this.#chunks.toSpliced(first, last - first + 1, ...made));
  }

  /** Puts rows before another one, counted as before. */
  moveRows(at: number, count: number, to: number): Grid {
    const rows = [...this.rows(at, at + count - 1)];
    const target = to > at ? to - count : to;
    const edit = this.deleteRows(at, count).insertRows(target, count).edit();
    for (const [place, row] of rows) edit.setRow(place - at + target, row);
    return edit.done();
  }

  /** Every formula with its row and column. */
  *formulas(): Generator<readonly [formula: Formula, row: number, column: number]> {
    for (const [index, chunk] of this.#chunks.entries()) {
      const places = formulasIn(chunk);
      for (let at = 0; at < places.length; at += 2) {
        const row = chunk.rows![places[at]!]!;
        const place = places[at + 1]!;
        yield [row.cells[place]!.formula!, this.#starts[index]! + places[at]!, row.columns[place]!];
      }
    }
  }

  /** The grid with every formula made anew; what stays the same is shared. */
  mapFormulas(change: (formula: Formula, row: number, column: number) => Formula): Grid {
    let made: Chunk[] | null = null;
    for (const [index, chunk] of this.#chunks.entries()) {
      const places = formulasIn(chunk);
      let rows: (Row | undefined)[] | null = null;
      let cells: Cell[] = [];
      let current = -1;
      for (let at = 0; at < places.length; at += 2) {
        const [offset, place] = [places[at]!, places[at + 1]!];
        const row = (rows ?? chunk.rows!)[offset]!;
        const cell = row.cells[place]!;
        const formula = change(cell.formula!, this.#starts[index]! + offset, row.columns[place]!);
        if (formula === cell.formula) continue;
        rows ??= chunk.rows!.slice();
        if (current !== offset) {
          cells = row.cells.slice();
          rows[offset] = { line: row.line, columns: row.columns, cells };
          current = offset;
        }
        cells[place] = { value: cell.value, formula, format: cell.format };
      }
      if (!rows) continue;
      made ??= this.#chunks.slice();
      const next = { count: chunk.count, rows };
      formulaPlaces.set(next, places);
      made[index] = next;
    }
    return made ? new Grid(made, this.#starts as number[]) : this;
  }

  /** The grid with every row that holds something made anew; a row that stays the same is shared. */
  mapRows(change: (row: Row, place: number) => Row): Grid {
    let isChanged = false;
    const chunks = this.#chunks.map((chunk, at) => {
      if (!chunk.rows) return chunk;
      const start = this.#starts[at]!;
      let rows: (Row | undefined)[] | null = null;
      for (let offset = 0; offset < chunk.rows.length; offset++) {
        const row = chunk.rows[offset];
        if (!row) continue;
        const next = change(row, start + offset);
        if (next === row) continue;
        rows ??= chunk.rows.slice();
        rows[offset] = isEmptyRow(next) ? undefined : next;
      }
      if (!rows) return chunk;
      isChanged = true;
      return { count: chunk.count, rows };
    });
    return isChanged ? new Grid(chunks, this.#starts as number[]) : this;
  }
}

/** Where the formulas of chunks are: pairs of row and place in the row. Found once for each. */
const formulaPlaces = new WeakMap<Chunk, readonly number[]>();

function formulasIn(chunk: Chunk): readonly number[] {
  const known = formulaPlaces.get(chunk);
  if (known) return known;
  const places: number[] = [];
  chunk.rows?.forEach((row, offset) => {
    row?.cells.forEach(({ formula }, at) => {
      if (formula !== null) places.push(offset, at);
    });
  });
  formulaPlaces.set(chunk, places);
  return places;
}

function sameRows(one: Grid, a: number, other: Grid, b: number, from: number, to: number): boolean {
  for (let place = from; place < to; place++) if (one.row(place) !== other.row(place)) return false;
  return a >= 0 && b >= 0;
}

/** Changes cells of a grid one after the other, and copies what is shared only once. Used until `done`. */
export class GridEdit {
  #chunks: readonly Chunk[];
  #starts: readonly number[];
  /** Chunks that were made here, whose rows may be written. */
  readonly #own = new Map<Chunk, (Row | undefined)[]>();
  #copied = false;
  readonly #make: (chunks: readonly Chunk[], starts: number[]) => Grid;

  constructor(
    chunks: readonly Chunk[],
    starts: readonly number[],
    make: (chunks: readonly Chunk[], starts: number[]) => Grid,
  ) {
    this.#chunks = chunks;
    this.#starts = starts;
    this.#make = make;
  }

  row(place: number): Row | undefined {
    if (place >= this.#starts.at(-1)!) return undefined;
    const at = chunkAt(this.#starts, place);
    return this.#chunks[at]!.rows?.[place - this.#starts[at]!];
  }

  cell(row: number, column: number): Cell {
    const found = this.row(row);
    return found ? cellIn(found, column) : blankCell;
  }

  setRow(place: number, row: Row): void {
    const isEmpty = isEmptyRow(row);
    if (isEmpty && this.row(place) === undefined) return;
    const at = this.#chunkFor(place);
    this.#rowsOf(at)[place - this.#starts[at]!] = isEmpty ? undefined : row;
  }

  /** @param keeps also a blank cell: where its row or column looks different */
  setCell(row: number, column: number, cell: Cell, keeps = false): void {
    const before = this.row(row) ?? emptyRow;
    const after = withCell(before, column, cell, keeps);
    if (after !== before) this.setRow(row, after);
  }

  done(): Grid {
    return this.#make(this.#chunks, this.#starts as number[]);
  }

  #splice(at: number, count: number, made: readonly Chunk[]): void {
    this.#chunks = this.#chunks.toSpliced(at, count, ...made.filter((chunk) => chunk.count > 0));
    this.#copied = true;
    this.#starts = startsOf(this.#chunks);
  }

  /** A chunk with rows that holds a place; makes one where there is none. */
  #chunkFor(place: number): number {
    const height = this.#starts.at(-1)!;
    if (place >= height) {
      const first = place - (place % chunkRows);
      const start = Math.max(first, height);
      const rows = new Array<undefined>(first + chunkRows - start).fill(undefined);
      const made = [emptyChunk(start - height), { count: rows.length, rows }];
      this.#splice(this.#chunks.length, 0, made);
      return this.#chunks.length - 1;
    }
    const at = chunkAt(this.#starts, place);
    const chunk = this.#chunks[at]!;
    if (chunk.rows || chunk.count <= maxChunkRows) return at;
    const offset = place - this.#starts[at]!;
    const before = offset - (offset % chunkRows);
    const count = Math.min(chunkRows, chunk.count - before);
    const rows = new Array<undefined>(count).fill(undefined);
    this.#splice(at, 1, [emptyChunk(before), { count, rows }, emptyChunk(chunk.count - before - count)]);
    return chunkAt(this.#starts, place);
  }

  #rowsOf(at: number): (Row | undefined)[] {
    const chunk = this.#chunks[at]!;
    const own = this.#own.get(chunk);
    if (own) return own;
    const rows = chunk.rows?.slice() ?? new Array<Row | undefined>(chunk.count).fill(undefined);
    const copy: Chunk = { count: chunk.count, rows };
    if (!this.#copied) this.#chunks = this.#chunks.slice();
    this.#copied = true;
    (this.#chunks as Chunk[])[at] = copy;
    this.#own.set(copy, rows);
    return rows;
  }
}
