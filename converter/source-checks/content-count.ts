import { columnNumber } from '../../model/cell-address.ts';
import { overLimit } from '../errors.ts';
import type { SourceLimits } from './source-limits.ts';

/** Most elements of one cell: the cell, its formula, its value, its text and the formatting in it. */
const elementsPerCell = 5;

/** Roots of the parts of a workbook that grow with its cells. */
const sheetRoots: ReadonlySet<string> = new Set(['worksheet', 'sst', 'calcChain', 'pivotCacheRecords']);

const attribute = (name: string) => new RegExp(`[\\s:]${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
const repeatedRows = attribute('number-rows-repeated');
const repeatedColumns = attribute('number-columns-repeated');
const matrixRows = attribute('number-matrix-rows-spanned');
const matrixColumns = attribute('number-matrix-columns-spanned');
const spaces = attribute('c');
const formulaRange = attribute('ref');
const holdsSomething = /[\s:](?:value-type|formula)\s*=/;
/** A formula that fills all of its range (18.3.1.40). */
const fillsRange = /[\s:]t\s*=\s*["'](?:array|dataTable)/;
const rangeOfCells = /^\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})$/i;

/** Elements that stand for many: all of their tag must be known. */
const multipliers: ReadonlySet<string> = new Set([
  'table-row',
  'table-column',
  'table-cell',
  'covered-table-cell',
  's',
  'f',
]);

/**
 * How much work a source is for the programs that read it, all parts together and with repeated elements counted as often
 * as they repeat (ECMA-376 Part 1, 18.3.1.4 and 18.3.1.40; OpenDocument 1.3 part 3, 6.1.3 and 19.675 to 19.684).
 */
export class ContentCount {
  readonly #limits: SourceLimits;
  #cells = 0;
  #tableCells = 0;
  #elements = 0;
  #elementsOfSheets = 0;

  constructor(limits: SourceLimits) {
    this.#limits = limits;
  }

  /** Cells of sheets that hold something. */
  get cells(): number {
    return this.#cells;
  }

  /** Of everything but sheets. */
  get elements(): number {
    return this.#elements;
  }

  /** Cells of sheets that hold something. @throws ConversionError limits */
  addCells(count: number): void {
    this.#cells += count;
    if (this.#cells > this.#limits.cells) throw overLimit('the spreadsheet has too many cells');
  }

  /** Cells of tables in texts and presentations. @throws ConversionError limits */
  addTableCells(count: number): void {
    this.#tableCells += count;
    if (this.#tableCells > this.#limits.tableCells) throw overLimit('tables of the file have too many cells');
  }

  /** @throws ConversionError limits */
  addElements(count: number, inSheet: boolean): void {
    if (inSheet) this.#elementsOfSheets += count;
    else this.#elements += count;
    const isTooMuch =
      this.#elements > this.#limits.elements ||
      this.#elementsOfSheets > this.#limits.cells * elementsPerCell + this.#limits.elements;
    if (isTooMuch) throw overLimit('the file has too many elements');
  }
}

export interface StartTag {
  isEmpty: boolean;
  isCut: boolean;
  text: () => string;
}

/** Counts one part, tag by tag. */
export class PartCount {
  readonly #count: ContentCount;
  #isFirst = true;
  #afterBody = false;
  #inSheet = false;
  /** How often what is in the rows and cells around is repeated. */
  readonly #repeats: number[] = [];

  constructor(count: ContentCount) {
    this.#count = count;
  }

  /**
   * A start tag: the name without a prefix, and the tag from after its `<`, of which only the beginning is known if `isCut`.
   * @throws ConversionError limits
   */
  start(name: string, { isEmpty, isCut, text }: StartTag): void {
    // What a document of OpenDocument is, says the only child of its body.
    if ((this.#isFirst && sheetRoots.has(name)) || (this.#afterBody && name === 'spreadsheet')) {
      this.#inSheet = true;
    }
    this.#isFirst = false;
    this.#afterBody = name === 'body';
    this.#count.addElements(1, this.#inSheet);
    if (name === 'tc') this.#count.addTableCells(1);
    else if (name === 'c') this.#count.addCells(1);
    else if (multipliers.has(name)) this.#multiply(name, text(), isEmpty, isCut);
  }

  /** An end tag, by its name without a prefix. */
  end(name: string): void {
    if (name === 'table-row' || name === 'table-cell' || name === 'covered-table-cell') this.#repeats.pop();
  }

  #multiply(name: string, tag: string, isEmpty: boolean, isCut: boolean): void {
    if (isCut) throw overLimit('an element of the file is too large');
    if (name === 's') this.#count.addElements(numberIn(spaces, tag) - 1, this.#inSheet);
    else if (name === 'f') {
      if (fillsRange.test(tag)) this.#count.addCells(cellsIn(formulaRange, tag));
    } else if (name === 'table-column') {
      if (!this.#inSheet) this.#count.addTableCells(numberIn(repeatedColumns, tag));
    } else {
      const isRow = name === 'table-row';
      const repeats = (this.#repeats.at(-1) ?? 1) * numberIn(isRow ? repeatedRows : repeatedColumns, tag);
      if (!isEmpty) this.#repeats.push(repeats);
      if (isRow) return;
      if (!this.#inSheet) this.#count.addTableCells(repeats);
      else if (holdsSomething.test(tag)) {
        this.#count.addCells(repeats * numberIn(matrixRows, tag) * numberIn(matrixColumns, tag));
      }
    }
  }
}

/** 1 where there is no number. A number written with character references is there to hide it. */
function numberIn(pattern: RegExp, tag: string): number {
  const [, quoted, single] = pattern.exec(tag) ?? [];
  const text = (quoted ?? single ?? '').trim();
  if (text.includes('&')) return Number.POSITIVE_INFINITY;
  return /^\+?\d+$/.test(text) ? Math.max(1, Number(text)) : 1;
}

function cellsIn(pattern: RegExp, tag: string): number {
  const [, quoted, single] = pattern.exec(tag) ?? [];
  const [, left, top, right, bottom] = rangeOfCells.exec((quoted ?? single ?? '').trim()) ?? [];
  if (left === undefined) return 1;
  const columns = Math.abs(columnNumber(right!) - columnNumber(left)) + 1;
  return columns * (Math.abs(Number(bottom) - Number(top)) + 1);
}
