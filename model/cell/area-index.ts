import type { Area } from './area.ts';

/** Rows and columns of a block, as powers of two. */
const rowBits = 5;
const columnBits = 3;
/** An area that lies in more blocks than this is looked at each time. */
const mostBlocks = 16;

/** Areas of a sheet, each of something that has a number, to be found by what they touch. */
export class AreaIndex {
  /** First row, first column, last row, last column, number; of all areas one behind the other. */
  readonly #areas: number[] = [];
  /** Where the areas that lie in a block begin. */
  readonly #blocks = new Map<number, number[]>();
  readonly #large: number[] = [];

  add([r1, c1, r2, c2]: Area, of: number): void {
    const start = this.#areas.length;
    this.#areas.push(r1, c1, r2, c2, of);
    const [top, left, bottom, right] = [r1 >> rowBits, c1 >> columnBits, r2 >> rowBits, c2 >> columnBits];
    if ((bottom - top + 1) * (right - left + 1) > mostBlocks) {
      this.#large.push(start);
      return;
    }
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const block = blockOf(row, column);
        const there = this.#blocks.get(block);
        if (there) there.push(start);
        else this.#blocks.set(block, [start]);
      }
    }
  }

  /** Visits the numbers whose areas hold a cell, some perhaps several times. @returns how many areas were looked at */
  visit(row: number, column: number, found: (of: number) => void): number {
    const near = this.#blocks.get(blockOf(row >> rowBits, column >> columnBits)) ?? [];
    for (const starts of [near, this.#large]) {
      for (const start of starts) if (this.#holds(start, row, column)) found(this.#areas[start + 4]!);
    }
    return near.length + this.#large.length;
  }

  #holds(start: number, row: number, column: number): boolean {
    const areas = this.#areas;
    return (
      areas[start]! <= row &&
      areas[start + 1]! <= column &&
      areas[start + 2]! >= row &&
      areas[start + 3]! >= column
    );
  }
}

const blockOf = (row: number, column: number): number => row * 2_048 + column;
