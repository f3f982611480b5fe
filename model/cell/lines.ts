/** What a row or a column is besides its cells. What is absent is as the sheet says. */
export interface Line {
  /** Height in points, or width in characters of the normal font. */
  readonly size?: number;
  /** The size was chosen by somebody, and does not follow the content. */
  readonly custom?: boolean;
  readonly hidden?: boolean;
  /** Hidden by a filter. */
  readonly filtered?: boolean;
  /** Outline: in how many groups it is, 0 to 7. */
  readonly level?: number;
  /** The group that ends here is closed. */
  readonly collapsed?: boolean;
  /** Format of the cells in it that are not kept: place in the workbook's table. */
  readonly format?: number;
}

export const noLine: Line = {};

/** Lines that follow each other and are alike: the first, how many, and what they are. Also their JSON. */
export type LineRun = readonly [first: number, count: number, line: Line];

const sameLine = (one: Line, other: Line): boolean => {
  if (one === other) return true;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof Line>;
  return [...names].every((name) => one[name] === other[name]);
};

const isPlain = (line: Line): boolean => Object.values(line).every((value) => value === undefined);

/** A line with some of it changed: null takes a property away. The very same where nothing changes. */
export function patchLine(line: Line, patch: LinePatch): Line {
  let next: Record<string, unknown> | null = null;
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    const isPlain = value === null || value === false || (name === 'level' && value === 0);
    if (isPlain ? !(name in line) : line[name as keyof Line] === value) continue;
    next ??= { ...line };
    if (isPlain) delete next[name];
    else next[name] = value;
  }
  if (!next) return line;
  return Object.keys(next).length === 0 ? noLine : (next as Line);
}

export type LinePatch = { readonly [Name in keyof Line]?: Line[Name] | null };

/** The columns of a sheet, as runs. Never changes. */
export class Lines {
  static readonly empty = new Lines([]);
  /** In order, not overlapping, none of them plain. */
  readonly runs: readonly LineRun[];

  private constructor(runs: readonly LineRun[]) {
    this.runs = runs;
  }

  static of(runs: readonly LineRun[]): Lines {
    const joined: LineRun[] = [];
    for (const [first, count, line] of runs) {
      if (count <= 0 || isPlain(line)) continue;
      const last = joined.at(-1);
      if (last && last[0] + last[1] === first && sameLine(last[2], line)) {
        joined[joined.length - 1] = [last[0], last[1] + count, last[2]];
      } else joined.push([first, count, line]);
    }
    return joined.length === 0 ? Lines.empty : new Lines(joined);
  }

  at(place: number): Line {
    for (const [first, count, line] of this.runs) {
      if (place < first) break;
      if (place < first + count) return line;
    }
    return noLine;
  }

  /** What lies between two places, the last included. */
  between(from: number, to: number): LineRun[] {
    return this.runs.flatMap(([first, count, line]): LineRun[] => {
      const start = Math.max(first, from);
      const end = Math.min(first + count - 1, to);
      return start <= end ? [[start, end - start + 1, line]] : [];
    });
  }

  /** With lines between two places changed. */
  change(from: number, to: number, change: (line: Line) => Line): Lines {
    const made: LineRun[] = [];
    let place = from;
    for (const [first, count, line] of this.between(from, to)) {
      if (first > place) made.push([place, first - place, change(noLine)]);
      made.push([first, count, change(line)]);
      place = first + count;
    }
    if (place <= to) made.push([place, to - place + 1, change(noLine)]);
    return Lines.of([...this.between(0, from - 1), ...made, ...this.between(to + 1, Infinity)]);
  }

  insert(at: number, count: number, last: number): Lines {
    const after = this.between(at, last - count).map(
      ([first, length, line]): LineRun => [first + count, length, line],
    );
    return Lines.of([...this.between(0, at - 1), ...after]);
  }

  delete(at: number, count: number): Lines {
    const after = this.between(at + count, Infinity).map(
      ([first, length, line]): LineRun => [first - count, length, line],
    );
    return Lines.of([...this.between(0, at - 1), ...after]);
  }

  /** Puts lines before another one, counted as before. */
  move(at: number, count: number, to: number, last: number): Lines {
    const taken = this.between(at, at + count - 1);
    const target = to > at ? to - count : to;
    const gap = this.delete(at, count).insert(target, count, last);
    const placed = taken.map(([first, length, line]): LineRun => [first - at + target, length, line]);
    return Lines.of([...gap.runs, ...placed].sort(([one], [other]) => one - other));
  }

  toJSON(): readonly LineRun[] {
    return this.runs;
  }
}
