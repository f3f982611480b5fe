import { sheetColumns, sheetRows } from '../../model/cell-address.ts';
import { delimiterOf } from '../../model/delimiters.ts';
import { overLimit } from '../errors.ts';
import type { Conversion } from '../formats/conversion.ts';
import { decodeText } from '../text/text-encoding.ts';
import type { SourceLimits } from './source-limits.ts';

/** What a cell has room for, in Excel and LibreOffice alike: both would leave out the rest without a word. */
const mostCellChars = 32_767;

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Refuses a table in plain text that no sheet has room for: it would be opened without what is beyond it, and saved so.
 * @param conversion its options name the code page and the delimiter
 * @throws ConversionError limits
 */
export function checkTable(
  source: Uint8Array,
  { fromType, options }: Pick<Conversion, 'fromType' | 'options'>,
  { cells: mostCells }: Pick<SourceLimits, 'cells'>,
): void {
  if (fromType !== 'csv' && fromType !== 'tsv') return;
  const { codePage, delimiter, delimiterChar } = options;
  const text = decodeText(source, codePage!);
  const between = fromType === 'tsv' ? '\t' : (delimiterChar ?? delimiterOf(delimiter ?? 0));
  const [delimiterCode, cells] = [between?.charCodeAt(0) ?? -1, new CellCount(mostCells)];
  let isQuoted = false;
  let isBegun = false;
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isQuoted) {
      if (code !== quote) cells.chars += 1;
      else if (text.charCodeAt(at + 1) !== quote) isQuoted = false;
      else {
        // Two of them stand for one.
        cells.chars += 1;
        at += 1;
      }
    } else if (code === delimiterCode) {
      cells.next();
      isBegun = false;
    } else if (code === lineFeed || code === carriageReturn) {
      if (code === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at += 1;
      cells.nextRow();
      isBegun = false;
    } else {
      // Only what a cell begins with puts it into quotation marks: `24"` is a text.
      if (code === quote && !isBegun) isQuoted = true;
      else cells.chars += 1;
      isBegun = true;
    }
  }
  cells.end();
}

/** Counts the cells that hold something, by row. */
class CellCount {
  readonly #most: number;
  chars = 0;
  #column = 0;
  #row = 0;
  #filled = 0;

  constructor(most: number) {
    this.#most = most;
  }

  next(): void {
    this.#take();
    this.#column += 1;
  }

  nextRow(): void {
    this.#take();
    this.#column = 0;
    this.#row += 1;
  }

  end(): void {
    this.#take();
  }

  #take(): void {
    if (this.chars === 0) return;
    if (this.#row >= sheetRows) throw overLimit('the table has more rows than a sheet');
    if (this.#column >= sheetColumns) throw overLimit('the table has more columns than a sheet');
    if (this.chars > mostCellChars) throw overLimit('a cell of the table has more text than a cell can have');
    this.#filled += 1;
    if (this.#filled > this.#most) throw overLimit('the table has too many cells');
    this.chars = 0;
  }
}
