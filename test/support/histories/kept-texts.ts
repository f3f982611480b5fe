import { openDocx } from '../../../converter/engines/ooxml/docx/docx-engine.ts';
import { openXlsx } from '../../../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { applyChange } from '../../../model/cell/change.ts';
import { parseWorkbook } from '../../../model/cell/document.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { applyChanges } from '../../../model/word/change.ts';
import { cellTexts, workbookSource } from './cell-client.ts';
import { blockTexts, wordSource } from './word-client.ts';

/** Models whose documents can be read here. */
export type KeptModel = 'word' | 'cell';

const workbookIn = (file: Uint8Array): Workbook => parseWorkbook(openXlsx(file).model);

const wordBase = openDocx(wordSource()).doc;
const workbookBase = workbookIn(workbookSource());

/** What a file of a model says. */
export const textsInFile: { readonly [Model in KeptModel]: (file: Uint8Array) => string[] } = {
  word: (file) => blockTexts(openDocx(file).doc),
  cell: (file) => cellTexts(workbookIn(file)),
};

/** What the document of every run says after some changes. */
export const textsAfter: { readonly [Model in KeptModel]: (changes: readonly string[]) => string[] } = {
  word: (changes) => blockTexts(applyChanges(wordBase, changes).doc),
  cell: (changes) =>
    cellTexts(
      changes.reduce((workbook, change) => {
        const after = applyChange(workbook, change);
        return typeof after === 'string' ? workbook : after;
      }, workbookBase),
    ),
};
