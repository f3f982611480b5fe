import { delimiterOf } from '../../model/delimiters.ts';
import { overLimit } from '../errors.ts';
import { type Conversion, pictureTypes } from '../formats/conversion.ts';
import type { ContentCount } from './content-count.ts';
import type { SourceLimits } from './source-limits.ts';

const LINE_FEED = 0x0a;
const COMMA = 4;

/**
 * Refuses a spreadsheet of more cells than are laid out on pages, which takes LibreOffice about 30 seconds for each million. Of
 * csv, cells are counted by its line ends and delimiters; what is in binary formats is not looked into.
 * @throws ConversionError limits
 */
export function checkPages(
  source: Uint8Array,
  count: Pick<ContentCount, 'cells'>,
  { fromType, toType, options }: Conversion,
  { printedCells }: Pick<SourceLimits, 'printedCells'>,
): void {
  const isOnPages = toType === 'pdf' || toType === 'pdfa' || pictureTypes.includes(toType);
  if (!isOnPages || isFirstPage(toType, options.thumbnail)) return;
  const cells = ['csv', 'tsv'].includes(fromType)
    ? cellsOfText(
        source,
        fromType === 'tsv' ? '\t' : (options.delimiterChar ?? delimiterOf(options.delimiter ?? COMMA)),
      )
    : count.cells;
  if (cells > printedCells) throw overLimit('the spreadsheet has too many cells to be laid out on pages');
}

/** A picture is of the first page unless all are wanted. */
const isFirstPage = (toType: string, thumbnail: Conversion['options']['thumbnail']) =>
  pictureTypes.includes(toType) && thumbnail?.first !== false;

function cellsOfText(source: Uint8Array, delimiter: string | undefined): number {
  const code = delimiter?.charCodeAt(0) ?? LINE_FEED;
  let cells = 0;
  for (const byte of source) if (byte === LINE_FEED || byte === code) cells += 1;
  return cells;
}
