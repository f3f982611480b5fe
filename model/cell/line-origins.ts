/** Lines that follow each other in a later version and did so in an earlier one. */
export interface LineRun {
  /** Where it begins in the later version. */
  readonly first: number;
  readonly count: number;
  /** Where it began. */
  readonly origin: number;
}

/** Where rows, or columns, of a later version of a sheet stood in an earlier one. No line is the origin of two. */
export class LineOrigins {
  /** In the order of the later version. */
  readonly #runs: readonly LineRun[];
  #reversed: LineOrigins | null = null;

  private constructor(runs: readonly LineRun[]) {
    this.#runs = runs;
  }

  /**
   * @param known runs whose origins are known, in the order of the later version; lines between them come from behind the origin of the
   *   one before as far as there is room
   * @param last the last line of a sheet
   */
  static of(known: Iterable<LineRun>, last: number): LineOrigins {
    const given = [...known];
    const origins = given.map(({ origin }) => origin).sort((one, other) => one - other);
    const runs: LineRun[] = [];
    for (let at = -1; at < given.length; at++) {
      const { first, count, origin } = given[at] ?? { first: 0, count: 0, origin: 0 };
      const end = given[at + 1]?.first ?? last + 1;
      const room = (nextOrigin(origins, origin + count) ?? last + 1) - origin;
      join(runs, { first, count: Math.min(end - first, room), origin });
    }
    return new LineOrigins(runs);
  }

  /** Whether every line is where it was. */
  isStill(last: number): boolean {
    const [run, ...others] = this.#runs;
    return others.length === 0 && run?.first === 0 && run.origin === 0 && run.count === last + 1;
  }

  /** How far lines from one to another are from where they stood, which is the same for all of them; null where it is not. */
  shiftOf(from: number, to = from): number | null {
    const run = this.#runAt(from);
    return run && to < run.first + run.count ? run.first - run.origin : null;
  }

  /** Where a line stood; undefined for a new one. */
  originOf(line: number): number | undefined {
    const shift = this.shiftOf(line);
    return shift === null ? undefined : line - shift;
  }

  /** Where a line of the earlier version stands; undefined for one that is gone. */
  placeOf(origin: number): number | undefined {
    this.#reversed ??= new LineOrigins(
      this.#runs
        .map((run) => ({ first: run.origin, count: run.count, origin: run.first }))
        .sort((one, other) => one.first - other.first),
    );
    return this.#reversed.originOf(origin);
  }

  #runAt(line: number): LineRun | undefined {
    let [low, high] = [0, this.#runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#runs[middle]!.first <= line) low = middle + 1;
      else high = middle;
    }
    const run = this.#runs[low - 1];
    return run && line < run.first + run.count ? run : undefined;
  }
}

/** The first origin at or behind a line. */
function nextOrigin(origins: readonly number[], line: number): number | undefined {
  let [low, high] = [0, origins.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (origins[middle]! < line) low = middle + 1;
    else high = middle;
  }
  return origins[low];
}

function join(runs: LineRun[], run: LineRun): void {
  if (run.count === 0) return;
  const last = runs.at(-1);
  const follows = last && last.first + last.count === run.first && last.origin + last.count === run.origin;
  if (follows) runs[runs.length - 1] = { ...last, count: last.count + run.count };
  else runs.push(run);
}
