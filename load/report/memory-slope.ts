import type { LoadResult } from '../result.ts';

/** Everybody is in while there are so many of the most people that there were. */
const everybodyShare = 0.98;
/** Memory is looked at over the last so much of that, seconds, and at most over its second half. */
const longestS = 1_800;
/** Memory goes up and down between collections; means of so long depend little on the one before, seconds. */
const blockS = 60;

export interface Slope {
  /** MB an hour. */
  perHourMb: number;
  /** Standard error of it, MB an hour. */
  errorMb: number;
  /** Mean over the same time, MB. */
  meanMb: number;
  /** Seconds from the start of the run. */
  fromS: number;
  toS: number;
}

/**
 * How fast the memory of each process grows at the end of the time in which everybody is in, by least squares over means
 * of a minute. Null where the run was too short for three of these, or the process was not there for so long.
 */
export function memorySlopes({ series, timesS, processes }: LoadResult): (Slope | null)[] {
  const people = series.find(({ name }) => name === 'people')?.points ?? [];
  const most = people.reduce<number>((high, value) => Math.max(high, value ?? 0), 0);
  const isFull = (at: number): boolean => (people[at] ?? 0) >= most * everybodyShare;
  const full = timesS.filter((_, at) => isFull(at));
  const toS = full.at(-1) ?? 0;
  const fromS = toS - Math.min(longestS, (toS - (full[0] ?? 0)) / 2);
  return processes.map(({ memoryBytes }) => {
    const blocks = new Map<number, { timesS: number; memoryMb: number; count: number }>();
    for (const [at, bytes] of memoryBytes.entries()) {
      const timeS = timesS[at]!;
      if (bytes === null || timeS < fromS || timeS > toS) continue;
      const number = Math.floor((timeS - fromS) / blockS);
      const block = blocks.get(number) ?? { timesS: 0, memoryMb: 0, count: 0 };
      block.timesS += timeS;
      block.memoryMb += bytes / 1e6;
      block.count++;
      blocks.set(number, block);
    }
    const line = lineThrough(
      [...blocks.values()].map(({ timesS: sumS, memoryMb, count }) => [sumS / count, memoryMb / count]),
    );
    return (
      line && { perHourMb: line.slope * 3_600, errorMb: line.error * 3_600, meanMb: line.mean, fromS, toS }
    );
  });
}

/** The line with the least squares through points of (x, y). */
function lineThrough(
  points: (readonly [number, number])[],
): { slope: number; error: number; mean: number } | null {
  const count = points.length;
  if (count < 3) return null;
  const sum = (of: (point: readonly [number, number]) => number) =>
    points.reduce((total, point) => total + of(point), 0);
  const [meanX, mean] = [sum(([x]) => x) / count, sum(([, y]) => y) / count];
  const spread = sum(([x]) => (x - meanX) ** 2);
  const slope = sum(([x, y]) => (x - meanX) * (y - mean)) / spread;
  const left = sum(([x, y]) => (y - mean - slope * (x - meanX)) ** 2);
  return { slope, error: Math.sqrt(left / (count - 2) / spread), mean };
}
