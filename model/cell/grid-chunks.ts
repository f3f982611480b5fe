import type { Row } from './row.ts';

/** Rows that lie together: so many, of which those that hold something are kept. */
export interface Chunk {
  readonly count: number;
  /** As many as there are; null: all are empty, however many. */
  readonly rows: readonly (Row | undefined)[] | null;
}

/** The rows of a grid in chunks, and where these start. */
export interface ChunkedRows {
  readonly chunks: readonly Chunk[];
  readonly starts: readonly number[];
}

/** Rows of a chunk when it is made, and how many it may come to. */
export const chunkRows = 128;
export const maxChunkRows = 256;

export const emptyChunk = (count: number): Chunk => ({ count, rows: null });

/** The rows of a chunk from one to another, as a chunk. */
export function cut({ rows }: Chunk, from: number, to: number): Chunk {
  return { count: to - from, rows: rows?.slice(from, to) ?? null };
}

export function chunked(rows: readonly (Row | undefined)[]): Chunk[] {
  if (rows.length <= maxChunkRows) return rows.length === 0 ? [] : [{ count: rows.length, rows }];
  const chunks: Chunk[] = [];
  for (let at = 0; at < rows.length; at += chunkRows) {
    const part = rows.slice(at, at + chunkRows);
    chunks.push({ count: part.length, rows: part.some((row) => row !== undefined) ? part : null });
  }
  return chunks;
}

export function startsOf(chunks: readonly Chunk[]): number[] {
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
export function chunkAt(starts: readonly number[], row: number): number {
  let from = 0;
  let to = starts.length - 1;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (starts[middle + 1]! <= row) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Rows of a chunk with formulas, those of them with formulas that fill other cells, and how many formulas there are. */
interface FormulaRows {
  readonly rows: readonly number[];
  readonly spans: readonly number[];
  readonly formulaCount: number;
}

const noFormulas: FormulaRows = { rows: [], spans: [], formulaCount: 0 };
/** Found once for each chunk. */
const formulaRows = new WeakMap<Chunk, FormulaRows>();

export function formulaRowsOf(chunk: Chunk): FormulaRows {
  if (!chunk.rows) return noFormulas;
  const known = formulaRows.get(chunk);
  if (known) return known;
  const rows: number[] = [];
  const spans: number[] = [];
  let formulaCount = 0;
  for (let offset = 0; offset < chunk.rows.length; offset++) {
    let hasFormulas = false;
    let hasSpans = false;
    for (const { formula } of chunk.rows[offset]?.cells ?? []) {
      if (formula === null) continue;
      hasFormulas = true;
      formulaCount++;
      if (formula.span) hasSpans = true;
    }
    if (hasFormulas) rows.push(offset);
    if (hasSpans) spans.push(offset);
  }
  const found = rows.length === 0 ? noFormulas : { rows, spans, formulaCount };
  formulaRows.set(chunk, found);
  return found;
}
