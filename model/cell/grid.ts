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

/** What becomes of a formula that stands in a row and a column. */
export type FormulaChange = (formula: Formula, row: number, column: number) => Formula;

/**
 * Changes of all formulas of a grid, in order. A row takes them when somebody looks at it: `seen` of it says how many it has
 * had. So an insertion costs nothing in the rows that nobody looks at.
 */
interface FormulaChanges {
  /** Whether there may be formulas, and such as fill other cells. */
  readonly has: FormulaKinds;
  /** How many there were before those of the list: no row with formulas has had fewer. */
  readonly start: number;
  readonly list: readonly FormulaChange[];
}

/** 1: some, 2: some that fill other cells. Once there were such, there may be. */
type FormulaKinds = number;

const noChanges: FormulaChanges = { has: 0, start: 0, list: [] };
/** When so many wait, all rows take them. */
const maxWaiting = 256;

const countOf = ({ start, list }: FormulaChanges): number => start + list.length;

/** What rows have become, and by which changes: most are looked at again before the next. */
const caughtUp = new WeakMap<Row, { readonly changes: FormulaChanges; readonly row: Row }>();

/** A row with all changes that wait for it; the very same where none changes it. */
function catchUp(row: Row, changes: FormulaChanges): Row {
  const count = countOf(changes);
  if ((row.seen ?? 0) >= count) return row;
  const known = caughtUp.get(row);
  if (known?.changes === changes) return known.row;
  let cells: Cell[] | null = null;
  let hasFormulas = false;
  for (let at = 0; at < row.cells.length; at++) {
    const cell = row.cells[at]!;
    if (cell.formula === null) continue;
    hasFormulas = true;
    let { formula } = cell;
    for (let next = Math.max(0, (row.seen ?? 0) - changes.start); next < changes.list.length; next++) {
      formula = changes.list[next]!(formula, -1, row.columns[at]!);
    }
    if (formula === cell.formula) continue;
    cells ??= row.cells.slice();
    cells[at] = { value: cell.value, formula, format: cell.format };
  }
  if (!hasFormulas) return row;
  const next = cells ? { line: row.line, columns: row.columns, cells, seen: count } : row;
  caughtUp.set(row, { changes, row: next });
  return next;
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
  readonly #changes: FormulaChanges;

  private constructor(chunks: readonly Chunk[], starts = startsOf(chunks), changes = noChanges) {
    this.#chunks = chunks;
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
    const end = Math.min(to, this.height - 1);
    for (let at = chunkAt(this.#starts, from); at < this.#chunks.length; at++) {
      const { rows } = this.#chunks[at]!;
      const start = this.#starts[at]!;
      if (start > end) return;
      if (!rows) continue;
      const last = Math.min(rows.length - 1, end - start);
      for (let offset = Math.max(0, from - start); offset <= last; offset++) {
        const row = rows[offset];
        if (row) yield [start + offset, catchUp(row, this.#changes)];
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
        (first === second && one.#starts[a] === other.#starts[b] && one.#changes === other.#changes) ||
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
    const changes = this.#changes;
    return new GridEdit(
      this.#chunks,
      this.#starts,
      { has: changes.has, count: countOf(changes), catchUp: (row) => catchUp(row, changes) },
      (chunks, starts, has) => new Grid(chunks, starts, has === changes.has ? changes : { ...changes, has }),
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
    return this.#with(this.#chunks.toSpliced(place, 1, ...made));
  }

  deleteRows(at: number, count: number): Grid {
    const end = Math.min(at + count, this.height);
    if (at >= end) return this;
    const first = chunkAt(this.#starts, at);
    const last = chunkAt(this.#starts, end - 1);
    const before = cut(this.#chunks[first]!, 0, at - this.#starts[first]!);
    const after = cut(this.#chunks[last]!, end - this.#starts[last]!, this.#chunks[last]!.count);
    const made = [before, after].filter(({ count: left }) => left > 0);
    return this.#with(this.#chunks.toSpliced(first, last - first + 1, ...made));
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
      for (const offset of formulaRowsOf(chunk).rows) {
        const { columns, cells } = catchUp(chunk.rows![offset]!, this.#changes);
        for (let at = 0; at < cells.length; at++) {
          const { formula } = cells[at]!;
          if (formula) yield [formula, this.#starts[index]! + offset, columns[at]!];
        }
      }
    }
  }

  /**
   * The grid with every formula made anew. @param change gets the row only of formulas that fill other cells: the others take
   * it later, when they may stand elsewhere
   */
  changeFormulas(change: FormulaChange): Grid {
    const { has, start, list } = this.#changes;
    if (has === 0) return this;
    if (list.length >= maxWaiting) return this.#settled().changeFormulas(change);
    const changes = { has, start, list: [...list, change] };
    if (has < 2) return new Grid(this.#chunks, this.#starts as number[], changes);
    const chunks = this.#chunks.map((chunk, index) => {
      const { spans } = formulaRowsOf(chunk);
      if (spans.length === 0) return chunk;
      const rows = chunk.rows!.slice();
      for (const offset of spans) {
        const row = catchUp(rows[offset]!, this.#changes);
        const cells = row.cells.map((cell, at) => {
          const formula =
            cell.formula && change(cell.formula, this.#starts[index]! + offset, row.columns[at]!);
          return formula === cell.formula ? cell : { ...cell, formula };
        });
        rows[offset] = { ...row, cells, seen: countOf(changes) };
      }
      return { count: chunk.count, rows };
    });
    return new Grid(chunks, this.#starts as number[], changes);
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
    return new Grid(chunks, this.#starts as number[], { has: this.#changes.has, start, list: [] });
  }

  #with(chunks: readonly Chunk[]): Grid {
    return new Grid(chunks, startsOf(chunks), this.#changes);
  }

  /** The grid with every row that holds something made anew; a row that stays the same is shared. */
  mapRows(change: (row: Row, place: number) => Row): Grid {
    let isChanged = false;
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
        rows ??= chunk.rows.slice();
        rows[offset] = isEmptyRow(next) ? undefined : seenBy(next, countOf(this.#changes));
      }
      if (!rows) return chunk;
      isChanged = true;
      return { count: chunk.count, rows };
    });
    return isChanged ? new Grid(chunks, this.#starts as number[], this.#changes) : this;
  }
}

/** Rows of a chunk with formulas, and those of them with formulas that fill other cells. */
interface FormulaRows {
  readonly rows: readonly number[];
  readonly spans: readonly number[];
}

const noFormulas: FormulaRows = { rows: [], spans: [] };
/** Found once for each chunk. */
const formulaRows = new WeakMap<Chunk, FormulaRows>();

function formulaRowsOf(chunk: Chunk): FormulaRows {
  if (!chunk.rows) return noFormulas;
  const known = formulaRows.get(chunk);
  if (known) return known;
  const rows: number[] = [];
  const spans: number[] = [];
  for (let offset = 0; offset < chunk.rows.length; offset++) {
    let hasFormulas = false;
    let hasSpans = false;
    for (const { formula } of chunk.rows[offset]?.cells ?? []) {
      if (formula === null) continue;
      hasFormulas = true;
      if (formula.span) hasSpans = true;
    }
    if (hasFormulas) rows.push(offset);
    if (hasSpans) spans.push(offset);
  }
  const found = rows.length === 0 ? noFormulas : { rows, spans };
  formulaRows.set(chunk, found);
  return found;
}

/** A row that has had so many changes of formulas. */
const seenBy = (row: Row, count: number): Row => ((row.seen ?? 0) === count ? row : { ...row, seen: count });

function sameRows(one: Grid, a: number, other: Grid, b: number, from: number, to: number): boolean {
  for (let place = from; place < to; place++) if (one.row(place) !== other.row(place)) return false;
  return a >= 0 && b >= 0;
}

/** What an edit has to know of the changes of formulas. */
interface EditedChanges {
  readonly has: FormulaKinds;
  readonly count: number;
  readonly catchUp: (row: Row) => Row;
}

/** Changes cells of a grid one after the other, and copies what is shared only once. Used until `done`. */
export class GridEdit {
  #chunks: readonly Chunk[];
  #starts: readonly number[];
  /** Chunks that were made here, whose rows may be written. */
  readonly #own = new Map<Chunk, (Row | undefined)[]>();
  #copied = false;
  #has: FormulaKinds;
  readonly #changes: EditedChanges;
  readonly #make: (chunks: readonly Chunk[], starts: number[], has: FormulaKinds) => Grid;

  constructor(
    chunks: readonly Chunk[],
    starts: readonly number[],
    changes: EditedChanges,
    make: (chunks: readonly Chunk[], starts: number[], has: FormulaKinds) => Grid,
  ) {
    this.#has = changes.has;
    this.#chunks = chunks;
    this.#starts = starts;
    this.#changes = changes;
    this.#make = make;
  }

  row(place: number): Row | undefined {
    if (place >= this.#starts.at(-1)!) return undefined;
    const at = chunkAt(this.#starts, place);
    const row = this.#chunks[at]!.rows?.[place - this.#starts[at]!];
    return row && this.#changes.catchUp(row);
  }

  cell(row: number, column: number): Cell {
    const found = this.row(row);
    return found ? cellIn(found, column) : blankCell;
  }

  setRow(place: number, row: Row): void {
    const isEmpty = isEmptyRow(row);
    if (isEmpty && this.row(place) === undefined) return;
    for (const { formula } of row.cells) {
      if (formula) this.#has |= formula.span ? 3 : 1;
    }
    const at = this.#chunkFor(place);
    this.#rowsOf(at)[place - this.#starts[at]!] = isEmpty ? undefined : seenBy(row, this.#changes.count);
  }

  /** @param keeps also a blank cell: where its row or column looks different */
  setCell(row: number, column: number, cell: Cell, keeps = false): void {
    const before = this.row(row) ?? emptyRow;
    const after = withCell(before, column, cell, keeps);
    if (after !== before) this.setRow(row, after);
  }

  done(): Grid {
    return this.#make(this.#chunks, this.#starts as number[], this.#has);
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
