import type { Area } from '../../model/cell/area.ts';

/** Cells beside each other in one row. */
interface Run {
  readonly top: number;
  readonly from: number;
  to: number;
  bottom: number;
}

/** Gathers cells, row by row, as areas of those that get one thing each. */
export class GatheredAreas {
  readonly #areas = new Map<number, Run[]>();
  /** The runs of the row before that may go on below, and those of this row; by what they get. */
  #above = new Map<number, Run[]>();
  #row: Map<number, Run[]> = new Map();
  #place = -1;
  /** The cells that were added last, and what they get: most cells go on with them. */
  #last: { readonly run: Run; readonly thing: number } | null = null;

  /** Rows rise, and columns in each of them. @param thing what the cell gets, as a number */
  add(row: number, column: number, thing: number): void {
    if (row !== this.#place) this.#begin(row);
    if (this.#last?.thing === thing && this.#last.run.to === column - 1) {
      this.#last.run.to = column;
      return;
    }
    const runs = this.#row.get(thing) ?? [];
    this.#row.set(thing, runs);
    const run = { top: row, from: column, to: column, bottom: row };
    runs.push(run);
    this.#last = { run, thing };
  }

  /** What was gathered, by what it gets. */
  *done(): Generator<readonly [thing: number, areas: readonly Area[]]> {
    this.#begin(-1);
    for (const [thing, runs] of this.#areas) {
      yield [thing, runs.map(({ top, from, bottom, to }): Area => [top, from, bottom, to])];
    }
  }

  #begin(row: number): void {
    const ended = new Map<number, Run[]>();
    for (const [thing, runs] of this.#row) {
      const above = new Map((this.#above.get(thing) ?? []).map((run) => [run.from, run]));
      const all = this.#areas.get(thing) ?? [];
      this.#areas.set(thing, all);
      ended.set(
        thing,
        runs.map((run) => {
          const higher = above.get(run.from);
          if (higher?.to === run.to && higher.bottom === run.top - 1) {
            higher.bottom = run.bottom;
            return higher;
          }
          all.push(run);
          return run;
        }),
      );
    }
    this.#above = ended;
    this.#row = new Map();
    this.#last = null;
    this.#place = row;
  }
}
