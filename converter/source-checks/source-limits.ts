import type { Config } from '../../platform/config.ts';
import { LIMITS } from '../engines/ooxml/package/limits.ts';

/** What a source may ask of the programs that read it. Beyond any of these: error -93. */
export interface SourceLimits {
  /** All parts of a package together when unpacked, those of packages in it too, bytes. */
  unpackedBytes: number;
  /** Width times height of one picture. */
  pixels: number;
  /** Cells of a spreadsheet that hold something. */
  cells: number;
  /** Cells of a spreadsheet that are laid out on pages. */
  printedCells: number;
  /** Elements of all its XML but sheets; these have more by their cells. */
  elements: number;
  /** Cells of all tables of a text or presentation. */
  tableCells: number;
}

/** Packages in packages: a workbook in a chart in a presentation is 2. */
export const maxNesting = 4;

export const sourceLimits = (
  config: Pick<
    Config,
    | 'sourceUnpackedBytes'
    | 'sourcePixels'
    | 'sourceCells'
    | 'sourcePrintedCells'
    | 'sourceElements'
    | 'sourceTableCells'
  >,
): SourceLimits => ({
  unpackedBytes: config.sourceUnpackedBytes,
  pixels: config.sourcePixels,
  cells: config.sourceCells,
  printedCells: config.sourcePrintedCells,
  elements: config.sourceElements,
  tableCells: config.sourceTableCells,
});

/** Our own engine reads whole parts, and has stricter limits on them. */
export const zipLimits = ({ unpackedBytes }: SourceLimits) => ({
  ...LIMITS,
  partBytes: unpackedBytes,
  totalBytes: unpackedBytes,
});
