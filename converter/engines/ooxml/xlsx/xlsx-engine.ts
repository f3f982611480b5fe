import { cellModel } from '../../../../model/cell/cell-model.ts';
import { parseWorkbook, type WorkbookJson, workbookJsonOf } from '../../../../model/cell/document.ts';
import { linkedValuesOf, readWish, TooManyLinkedValues } from '../../../../model/cell/linked-values.ts';
import { applyTail } from '../../../../model/log/log-tail.ts';
import { ConversionError, corrupted, overLimit } from '../../../errors.ts';
import type { KindEngine } from '../../kind-engine.ts';
import { patchZip } from '../package/zip-patcher.ts';
import { blankXlsx } from './blank-xlsx.ts';
import type { CalculateWorkbook } from './calculation.ts';
import { tableOfXlsx, xlsxOfTable } from './table/table-workbook.ts';
import { XlsxSource } from './xlsx-source.ts';
import { writeXlsx } from './xlsx-writer.ts';

/** An xlsx opened to the model of spreadsheets. */
export interface OpenedXlsx {
  /** What an editor downloads. */
  readonly model: WorkbookJson;
  /** Bytes of the pictures of the package that can be read, by the paths of the model (`media/image1.png`). */
  readonly media: Map<string, Uint8Array>;
}

/** @throws ConversionError unknownFormat, corrupted, passwordRequired or limits */
export function openXlsx(bytes: Uint8Array): OpenedXlsx {
  const source = XlsxSource.open(bytes, { isCounted: true });
  return { model: workbookJsonOf(source.workbook), media: source.media.read() };
}

/**
 * Workbooks as Office Open XML.
 * @param calculate gives the values of formulas for the file; without it programs that open the file calculate it themselves
 */
export function xlsxEngine(calculate?: CalculateWorkbook): KindEngine {
  return {
    open: openXlsx,
    assemble: (file, tail, { media = () => undefined, earlier }) => {
      const source = XlsxSource.open(file);
      if (earlier !== undefined) checkEarlier(source, earlier);
      const { doc, log } = applyTail(cellModel, { doc: source.workbook, rights: null }, tail);
      const { parts, missingMedia } = writeXlsx(source, doc, { media, calculate });
      return { ...log, bytes: patchZip(source.package.archive, parts), missingMedia };
    },
    checkpoint: (file, tail) =>
      applyTail(cellModel, { doc: XlsxSource.open(file).workbook, rights: null }, tail).log,
    pick: (model, wish) => {
      const wanted = readWish(wish);
      if (!wanted) throw new ConversionError('unknownFormat', 'it is not asked for cells');
      try {
        return linkedValuesOf(parseWorkbook(model), wanted);
      } catch (error) {
        if (error instanceof TooManyLinkedValues) throw overLimit('too many values are asked for');
        throw error;
      }
    },
    tables: { read: xlsxOfTable, write: tableOfXlsx },
    blank: (fileType, language) => (fileType === 'xlsx' ? blankXlsx(language) : null),
  };
}

/** @throws ConversionError where this version reads the file as another workbook than an earlier one did */
function checkEarlier({ workbook }: XlsxSource, value: unknown): void {
  try {
    if (cellModel.equals(cellModel.parse(value).doc, workbook)) return;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw corrupted('the log was made with another version of the model');
}
