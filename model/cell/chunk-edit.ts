import { blankCell, type Cell, isBlank } from './cell.ts';
import { type FormulaKinds, seenBy } from './formula-changes.ts';
import { type Chunk, chunkAt, chunkRows, emptyChunk, maxChunkRows, startsOf } from './grid-chunks.ts';
import { noLine } from './lines.ts';
import { cellIn, emptyRow, isEmptyRow, placeIn, type Row, weightOf } from './row.ts';

/** What an edit has to know of the changes of formulas. */
export interface EditedChanges {
  readonly has: FormulaKinds;
  readonly count: number;
  readonly catchUp: (row: Row) => Row;
}

/** A row whose cells may be written. */
interface OwnRow extends Row {
  columns: number[];
  cells: Cell[];
}

/** What an edit has come to. */
export interface EditedChunks {
  readonly chunks: readonly Chunk[];
  readonly weight: number;
  readonly starts: number[];
  readonly has: FormulaKinds;
}

/** Changes cells one after the other, and copies what is shared only once. Used until `edited`. */
export class ChunkEdit {
  #chunks: readonly Chunk[];
  #starts: readonly number[];
  /** Chunks that were made here, whose rows may be written. */
  readonly #own = new Map<Chunk, (Row | undefined)[]>();
  /** The row that was written last, which is a copy made here: many cells of one row cost no copy each. */
  #written: OwnRow | null = null;
  #copied = false;
  #hasOwnStarts = false;
  #has: FormulaKinds;
  #weight: number;
  readonly #changes: EditedChanges;

  constructor(chunks: readonly Chunk[], starts: readonly number[], changes: EditedChanges, weight: number) {
    this.#has = changes.has;
    this.#weight = weight;
    this.#chunks = chunks;
    this.#starts = starts;
    this.#changes = changes;
  }

  /** What the grid that comes of it would weigh. */
  get weight(): number {
    return this.#weight;
  }

  /** The row as it is now; what is set in it later may show in it. */
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
    this.#put(place, isEmpty ? undefined : seenBy(row, this.#changes.count));
  }

  #put(place: number, row: Row | undefined): void {
    const at = this.#chunkFor(place);
    const rows = this.#rowsOf(at);
    const offset = place - this.#starts[at]!;
    const before = rows[offset];
    this.#weight += (row ? weightOf(row) : 0) - (before ? weightOf(before) : 0);
    rows[offset] = row;
  }

  /** @param keeps also a blank cell: where its row or column looks different */
  setCell(row: number, column: number, cell: Cell, keeps = false): void {
    const before = this.row(row) ?? emptyRow;
    const at = placeIn(before.columns, column);
    const isLeft = !keeps && isBlank(cell);
    if (isLeft && at < 0) return;
    const own = this.#written === before ? this.#written : this.#ownRow(row, before);
    const { columns, cells } = own;
    if (isLeft) {
      columns.splice(at, 1);
      cells.splice(at, 1);
      this.#weight -= 1;
      if (columns.length > 0 || own.line !== noLine) return;
      // The row itself.
      this.#weight -= 1;
      this.#written = null;
      this.#put(row, undefined);
      return;
    }
    if (cell.formula) this.#has |= cell.formula.span ? 3 : 1;
    if (at >= 0) {
      cells[at] = cell;
      return;
    }
    this.#weight += columns.length === 0 && own.line === noLine ? 2 : 1;
    if (columns.length === 0) {
      // A list that grows has room for more, which most rows of one cell never need.
      [own.columns, own.cells] = [[column], [cell]];
    } else {
      columns.splice(-1 - at, 0, column);
      cells.splice(-1 - at, 0, cell);
    }
  }

  /** A copy of a row whose cells may be written, in its place. */
  #ownRow(place: number, { line, columns, cells, seen }: Row): OwnRow {
    this.#settle();
    const { count } = this.#changes;
    const own = { columns: columns.slice(), cells: cells.slice() };
    const row = count === 0 && seen === undefined ? { line, ...own } : { line, ...own, seen: count };
    this.#put(place, row);
    this.#written = row;
    return row;
  }

  /** Lists that grew keep no room for more. */
  #settle(): void {
    const row = this.#written;
    if (row && row.columns.length > 1) {
      row.columns = row.columns.slice();
      row.cells = row.cells.slice();
    }
    this.#written = null;
  }

  protected edited(): EditedChunks {
    this.#settle();
    return {
      chunks: this.#chunks,
      weight: this.#weight,
      starts: this.#starts as number[],
      has: this.#has,
    };
  }

  #splice(at: number, count: number, made: readonly Chunk[]): void {
    this.#chunks = this.#chunks.toSpliced(at, count, ...made.filter((chunk) => chunk.count > 0));
    this.#copied = true;
    this.#starts = startsOf(this.#chunks);
    this.#hasOwnStarts = true;
  }

  /** Most chunks are made behind all others. */
  #append(chunk: Chunk): void {
    if (chunk.count === 0) return;
    if (!this.#copied) this.#chunks = this.#chunks.slice();
    if (!this.#hasOwnStarts) this.#starts = this.#starts.slice();
    [this.#copied, this.#hasOwnStarts] = [true, true];
    (this.#chunks as Chunk[]).push(chunk);
    (this.#starts as number[]).push(this.#starts.at(-1)! + chunk.count);
  }

  /** A chunk with rows that holds a place; makes one where there is none. */
  #chunkFor(place: number): number {
    const height = this.#starts.at(-1)!;
    if (place >= height) {
      const first = place - (place % chunkRows);
      const start = Math.max(first, height);
      const rows = new Array<undefined>(first + chunkRows - start).fill(undefined);
      this.#append(emptyChunk(start - height));
      const made = { count: rows.length, rows };
      this.#append(made);
      this.#own.set(made, rows);
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
