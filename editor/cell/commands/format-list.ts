import type { CellFormat } from '../../../model/cell/cell-format.ts';

/** The formats of one operation, each once: cells name them by their places. */
export class FormatList {
  readonly all: CellFormat[] = [];
  readonly #places = new Map<string, number>();
  /** Formats of which the place is known without writing them out. */
  readonly #known = new WeakMap<CellFormat, number>();

  /** The place of a format, which is added if none is like it. */
  placeOf(format: CellFormat): number {
    const known = this.#known.get(format);
    if (known !== undefined) return known;
    const text = JSON.stringify(format);
    let place = this.#places.get(text);
    if (place === undefined) {
      place = this.all.length;
      this.all.push(format);
      this.#places.set(text, place);
    }
    this.#known.set(format, place);
    return place;
  }
}
