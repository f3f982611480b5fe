import { expect, it } from 'vitest';
import { applyOperation } from '../../../model/cell/change.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { copyWishFor, printingWish } from './copy-wish.ts';

const one = parseWorkbook(blankWorkbook());
const two = applyOperation(one, { op: 'addSheet', sheet: 's2', name: 'Next', at: 1 }) as Workbook;
const shown = (workbook: Workbook, locale: string, sheet = 's1') => ({
  workbook: { peek: () => workbook },
  sheetId: { peek: () => sheet },
  settings: { locale },
});

it('[SU63] what shows values is made as people see them, of the sheet that is shown where there are others', () => {
  expect(printingWish(shown(one, 'en-US'))).toEqual({ region: 'en-US' });
  expect(printingWish(shown(two, 'de', 's2'))).toEqual({ region: 'de-DE', sheet: 2 });
  const isProtected = { op: 'workbook', patch: { protected: true } } as const;
  expect(printingWish(shown(applyOperation(two, isProtected) as Workbook, 'fr'))).toEqual({
    region: 'fr-FR',
  });
  expect(copyWishFor(shown(two, 'de-AT'), 'pdf')).toEqual({ region: 'de-AT' });
  expect(copyWishFor(shown(two, 'de-AT'), 'csv')).toEqual({ region: 'de-AT', sheet: 1, delimiterChar: ';' });
  expect(copyWishFor(shown(one, 'en-GB'), 'csv')).toEqual({ region: 'en-GB' });
  expect(copyWishFor(shown(two, 'de', 's2'), 'tsv')).toEqual({ region: 'de-DE', sheet: 2 });
  expect(copyWishFor(shown(two, 'de'), 'ods')).toEqual({});
});
