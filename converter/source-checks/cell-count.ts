import { overLimit } from '../errors.ts';

const repeatedRows = /\btable:number-rows-repeated="(\d{1,15})"/;
const repeatedColumns = /\btable:number-columns-repeated="(\d{1,15})"/;
const holdsSomething = /\b(?:office:value-type|calcext:value-type|table:formula)=/;

/**
 * Counts the cells of a sheet that hold something, as they are when those that stand for many are all made
 * (ECMA-376 Part 1, 18.3.1.4; OpenDocument 1.3 part 3, 19.675 and 19.677).
 */
export class CellCount {
  readonly #most: number;
  #count = 0;
  #rows = 1;

  constructor(most: number) {
    this.#most = most;
  }

  /** A start tag, from after its `<`. @throws ConversionError limits */
  see(tag: string): void {
    if (tag.startsWith('table:table-row')) this.#rows = numberIn(repeatedRows, tag);
    else if (tag.startsWith('table:table-cell') && holdsSomething.test(tag)) {
      this.#count += this.#rows * numberIn(repeatedColumns, tag);
    } else if (/^(?:x:)?c\s/.test(tag)) this.#count += 1;
    if (this.#count > this.#most) throw overLimit('the spreadsheet has too many cells');
  }
}

const numberIn = (pattern: RegExp, tag: string): number => Number(pattern.exec(tag)?.[1] ?? 1);
