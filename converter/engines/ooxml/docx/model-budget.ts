import { overLimit } from '../../../errors.ts';
import { LIMITS } from '../package/limits.ts';

/** A node with a place in the file takes as much memory as this number of plain texts. */
const unitsPerPlace = 4;

/**
 * Counts how large the model of a document becomes while it is read, and ends the reading when that is too much: a small
 * package can hold millions of cells. A document that is saved was opened before, and is not counted again.
 */
export class ModelBudget {
  readonly #isCounted: boolean;
  #units = 0;
  #gridPositions = 0;
  #listLevels = 0;

  constructor(isCounted: boolean) {
    this.#isCounted = isCounted;
  }

  /** A node that has a place in the file. @throws ConversionError limits */
  takePlace(): void {
    this.#takeUnits(unitsPerPlace);
  }

  /** A text or another node of a line, with this number of marks. @throws ConversionError limits */
  takeInline(marks: number): void {
    this.#takeUnits(1 + marks);
  }

  /** A table with these numbers of rows and columns. @throws ConversionError limits */
  takeGrid(rows: number, columns: number): void {
    this.#gridPositions += rows * columns;
    this.#check(this.#gridPositions, LIMITS.tableGrid);
  }

  /** A list with this number of levels. @throws ConversionError limits */
  takeLevels(count: number): void {
    this.#listLevels += count;
    this.#check(this.#listLevels, LIMITS.listLevels);
  }

  #takeUnits(count: number): void {
    this.#units += count;
    this.#check(this.#units, LIMITS.modelUnits);
  }

  #check(count: number, most: number): void {
    if (this.#isCounted && count > most) throw overLimit('the document is too large to be edited');
  }
}
