import type { Cell } from './cell.ts';
import { ChunkEdit, type EditedChunks } from './chunk-edit.ts';
import type { Formula, FormulaSpan } from './formula/formula.ts';
import {
  areMany,
  catchUp,
  countOf,
  type FormulaChange,
  type FormulaChanges,
  noChanges,
  seenBy,
  withChange,
} from './formula-changes.ts';
import {
  type Chunk,
  type ChunkedRows,
  chunkAt,
  chunked,
  chunkRows,
  cut,
  emptyChunk,
  formulaRowsOf,
  startsOf,
} from './grid-chunks.ts';
import { cellIn, isEmptyRow, type Row, weightOf } from './row.ts';

/** The cells of a sheet, by row. Never changes; versions share the rows that are equal. Rows behind `height` are empty. */
export class Grid {
  /** Not `new Grid`: TypeScript 7.0 puts an alias in its place in the module that it emits, which nothing is assigned to yet. */
  static readonly empty: Grid = new this([], 0);

  readonly #chunks: readonly Chunk[];
  readonly #starts: readonly number[];
  readonly #changes: FormulaChanges;
  /** How many cells and rows it keeps. */
  readonly weight: number;

  private constructor(
    chunks: readonly Chunk[],
    weight: number,
    starts = startsOf(chunks),
    changes = noChanges,
  ) {
    this.#chunks = chunks;
    this.weight = weight;
    this.#starts = starts;
    this.#changes = changes;
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

  /** The last row that holds something; -1 where none does. Chunks may have empty rows behind it. */
  get lastRow(): number {
    for (let at = this.#chunks.length - 1; at >= 0; at--) {
      const offset = this.#chunks[at]!.rows?.findLastIndex((row) => row !== undefined) ?? -1;
      if (offset >= 0) return this.#starts[at]! + offset;
    }
    return -1;
  }

  row(place: number): Row | undefined {
    if (place >= this.height) return undefined;
    const at = chunkAt(this.#starts, place);
    const row = this.#chunks[at]!.rows?.[place - this.#starts[at]!];
    return row && catchUp(row, this.#changes);
  }

  cell(row: number, column: number): Cell {
    return cellIn(this.row(row), column);
  }

  /** The rows that hold something, with their places, from one to another. */
  *rows(from = 0, to = this.height - 1): Generator<readonly [place: number, row: Row]> {
    for (const [place, row] of this.#rawRows(from, to)) yield [place, catchUp(row, this.#changes)];
  }

  /** The same without what changes of formulas have made of them. */
  *#rawRows(from: number, to: number): Generator<readonly [place: number, row: Row]> {
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
      // Without formulas a chunk is the same whatever has become of these.
      const isSame =
        (first === second &&
          one.#starts[a] === other.#starts[b] &&
          (one.#changes === other.#changes || !first || formulaRowsOf(first).formulaCount === 0)) ||
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

  /** What somebody finds who looks at the chunks of two versions, and where these start. */
  static compared<Found>(
    one: Grid,
    other: Grid,
    compare: (one: ChunkedRows, other: ChunkedRows) => Found,
  ): Found {
    return compare(
      { chunks: one.#chunks, starts: one.#starts },
      { chunks: other.#chunks, starts: other.#starts },
    );
  }

  edit(): GridEdit {
    const changes = this.#changes;
    return new GridEdit(
      ({ chunks, weight, starts, has }) =>
        new Grid(chunks, weight, starts, has === changes.has ? changes : { ...changes, has }),
      this.#chunks,
      this.#starts,
      { has: changes.has, count: countOf(changes), catchUp: (row) => catchUp(row, changes) },
      this.weight,
    );
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
    return this.#with(this.#chunks.toSpliced(place, 1, ...made), this.weight);
  }

  deleteRows(at: number, count: number): Grid {
    const end = Math.min(at + count, this.height);
    if (at >= end) return this;
    const first = chunkAt(this.#starts, at);
    const last = chunkAt(this.#starts, end - 1);
    const before = cut(this.#chunks[first]!, 0, at - this.#starts[first]!);
    const after = cut(this.#chunks[last]!, end - this.#starts[last]!, this.#chunks[last]!.count);
    const made = [before, after].filter(({ count: left }) => left > 0);
    let { weight } = this;
    for (const [, row] of this.#rawRows(at, end - 1)) weight -= weightOf(row);
    return this.#with(this.#chunks.toSpliced(first, last - first + 1, ...made), weight);
  }

  /** Puts rows before another one, counted as before. */
  moveRows(at: number, count: number, to: number): Grid {
    const rows = [...this.rows(at, at + count - 1)];
    const target = to > at ? to - count : to;
    const edit = this.deleteRows(at, count).insertRows(target, count).edit();
    for (const [place, row] of rows) edit.setRow(place - at + target, row);
    return edit.done();
  }

  /** How many formulas there are. */
  get formulaCount(): number {
    if (this.#changes.has === 0) return 0;
    return this.#chunks.reduce((sum, chunk) => sum + formulaRowsOf(chunk).formulaCount, 0);
  }

  /** Every formula with its row and column. */
  *formulas(): Generator<readonly [formula: Formula, row: number, column: number]> {
    for (const [index, chunk] of this.#chunks.entries()) {
      for (const offset of formulaRowsOf(chunk).rows) {
        const { columns, cells } = catchUp(chunk.rows![offset]!, this.#changes);
        for (let at = 0; at < cells.length; at++) {
          const { formula } = cells[at]!;
          if (formula) yield [formula, this.#starts[index]! + offset, columns[at]!];
        }
      }
    }
  }

  /** Every formula that fills other cells, or may, with its row and column. */
  *spanning(): Generator<readonly [span: FormulaSpan, row: number, column: number]> {
    if (this.#changes.has < 2) return;
    for (const [index, chunk] of this.#chunks.entries()) {
      for (const offset of formulaRowsOf(chunk).spans) {
        const { columns, cells } = chunk.rows![offset]!;
        for (const [at, { formula }] of cells.entries())
          if (formula?.span) yield [formula.span, this.#starts[index]! + offset, columns[at]!];
      }
    }
  }

  /**
   * The grid with every formula made anew. @param change is given the row only of formulas that fill other cells: the others take
   * it later, when they may stand elsewhere
   */
  changeFormulas(change: FormulaChange): Grid {
    const { has } = this.#changes;
    if (has === 0) return this;
    if (areMany(this.#changes)) return this.#settled().changeFormulas(change);
    const changes = withChange(this.#changes, change);
    if (has < 2) return new Grid(this.#chunks, this.weight, this.#starts as number[], changes);
    const chunks = this.#chunks.map((chunk, index) => {
      const { spans } = formulaRowsOf(chunk);
      if (spans.length === 0) return chunk;
      const rows = chunk.rows!.slice();
      for (const offset of spans) {
        const row = catchUp(rows[offset]!, this.#changes);
        const cells = row.cells.map((cell, at) => {
          const formula =
            cell.formula && change.of(cell.formula, this.#starts[index]! + offset, row.columns[at]!);
          return formula === cell.formula ? cell : { ...cell, formula };
        });
        rows[offset] = { ...row, cells, seen: countOf(changes) };
      }
      return { count: chunk.count, rows };
    });
    return new Grid(chunks, this.weight, this.#starts as number[], changes);
  }

  /** With all rows caught up. */
  #settled(): Grid {
    const start = countOf(this.#changes);
    const chunks = this.#chunks.map((chunk) => {
      const places = formulaRowsOf(chunk).rows;
      if (places.length === 0) return chunk;
      const rows = chunk.rows!.slice();
      for (const offset of places) rows[offset] = { ...catchUp(rows[offset]!, this.#changes), seen: start };
      return { count: chunk.count, rows };
    });
    const changes = { ...noChanges, has: this.#changes.has, start };
    return new Grid(chunks, this.weight, this.#starts as number[], changes);
  }

  #with(chunks: readonly Chunk[], weight: number): Grid {
    return new Grid(chunks, weight, startsOf(chunks), this.#changes);
  }

  /** The grid with every row that holds something made anew; a row that stays the same is shared. */
  mapRows(change: (row: Row, place: number) => Row): Grid {
    let isChanged = false;
    let { weight } = this;
    const chunks = this.#chunks.map((chunk, at) => {
      if (!chunk.rows) return chunk;
      const start = this.#starts[at]!;
      let rows: (Row | undefined)[] | null = null;
      for (let offset = 0; offset < chunk.rows.length; offset++) {
        const raw = chunk.rows[offset];
        if (!raw) continue;
        const row = catchUp(raw, this.#changes);
        const next = change(row, start + offset);
        if (next === raw) continue;
        weight += weightOf(next) - weightOf(raw);
        rows ??= chunk.rows.slice();
        rows[offset] = isEmptyRow(next) ? undefined : seenBy(next, countOf(this.#changes));
      }
      if (!rows) return chunk;
      isChanged = true;
      return { count: chunk.count, rows };
    });
    return isChanged ? new Grid(chunks, weight, this.#starts as number[], this.#changes) : this;
  }
}

function sameRows(one: Grid, a: number, other: Grid, b: number, from: number, to: number): boolean {
  for (let place = from; place < to; place++) if (one.row(place) !== other.row(place)) return false;
  return a >= 0 && b >= 0;
}

/** Changes cells of a grid. Used until `done`. */
export class GridEdit extends ChunkEdit {
  readonly #make: (edited: EditedChunks) => Grid;

  constructor(make: (edited: EditedChunks) => Grid, ...chunks: ConstructorParameters<typeof ChunkEdit>) {
    super(...chunks);
    this.#make = make;
  }

  done(): Grid {
    return this.#make(this.edited());
  }
}
