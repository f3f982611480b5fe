import { lastRow } from './area.ts';
import type { ChunkedRows } from './grid-chunks.ts';
import type { LineRun } from './line-origins.ts';
import type { Row } from './row.ts';

type Rows = readonly (Row | undefined)[];

/** Where more rows than that are others, all are taken to be where they were. */
const mostRows = 65_536;

/**
 * Which rows of two versions belong together, in an order that both have: those that are the very same, and those between them as far as
 * there are any. Runs of them rise in both versions.
 */
export function alignedRows(one: ChunkedRows, other: ChunkedRows): readonly LineRun[] {
  const most = Math.min(one.chunks.length, other.chunks.length);
  let head = 0;
  while (head < most && one.chunks[head] === other.chunks[head]) head++;
  let tail = 0;
  while (tail < most - head && one.chunks.at(-1 - tail) === other.chunks.at(-1 - tail)) tail++;
  const [end, endOther] = [one.chunks.length - tail, other.chunks.length - tail];
  const start = one.starts[head]!;
  const [origin, first] = [one.starts[end]!, other.starts[endOther]!];
  if (Math.max(origin, first) - start > mostRows) return [{ first: 0, count: lastRow + 1, origin: 0 }];
  const runs: LineRun[] = [];
  add(runs, { first: 0, count: start, origin: 0 });
  for (const run of sameRows(rowsIn(one, head, end), rowsIn(other, head, endOther)))
    addUpTo(runs, { ...run, first: run.first + start, origin: run.origin + start });
  // Behind the last row there are empty ones, which go on as they come.
  const last = runs.at(-1);
  const moved = tail > 0 ? first - origin : last ? last.first - last.origin : 0;
  const next = Math.max(first, origin + moved);
  addUpTo(runs, { first: next, count: lastRow + 1 - Math.max(next, next - moved), origin: next - moved });
  return runs;
}

function rowsIn({ chunks }: ChunkedRows, from: number, to: number): Rows {
  return chunks
    .slice(from, to)
    .flatMap(({ rows, count }) => rows ?? new Array<undefined>(count).fill(undefined));
}

/** Rows that are the very same, which rise in both versions. */
function sameRows(before: Rows, after: Rows): LineRun[] {
  const least = Math.min(before.length, after.length);
  let head = 0;
  while (head < least && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < least - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const origins = new Map<Row, number>();
  for (let at = head; at < before.length - tail; at++) if (before[at]) origins.set(before[at]!, at);
  const found: LineRun[] = [];
  for (let at = head; at < after.length - tail; at++) {
    const origin = after[at] && origins.get(after[at]!);
    if (origin !== undefined) found.push({ first: at, count: 1, origin });
  }
  return [
    { first: 0, count: head, origin: 0 },
    ...rising(found),
    { first: after.length - tail, count: tail, origin: before.length - tail },
  ];
}

/** As many runs as possible whose origins rise, of runs that rise themselves. */
function rising(runs: readonly LineRun[]): LineRun[] {
  /** Of chains of each length the run that ends one with the lowest origin. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, { origin }] of runs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (runs[ends[middle]!]!.origin < origin) low = middle + 1;
      else high = middle;
    }
    before.push(ends[low - 1] ?? -1);
    ends[low] = at;
  }
  const chain: LineRun[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) chain.push(runs[at]!);
  return chain.reverse();
}

/** Adds a run, and before it the rows since the last one that belong together by their order. */
function addUpTo(runs: LineRun[], run: LineRun): void {
  const last = runs.at(-1);
  const [first, origin] = last ? [last.first + last.count, last.origin + last.count] : [0, 0];
  add(runs, { first, count: Math.min(run.first - first, run.origin - origin), origin });
  add(runs, run);
}

function add(runs: LineRun[], run: LineRun): void {
  if (run.count <= 0) return;
  const last = runs.at(-1);
  const follows = last && last.first + last.count === run.first && last.origin + last.count === run.origin;
  if (follows) runs[runs.length - 1] = { ...last, count: last.count + run.count };
  else runs.push(run);
}
