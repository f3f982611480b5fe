import { cellKind } from '../kinds.ts';
import type { KindModel } from '../log/kind-model.ts';
import { CellRules } from './cell-rules.ts';
import { applyStep, encodeChange } from './change.ts';
import { checkpointOf, documentAt } from './checkpoint.ts';
import { parseWorkbook } from './document.ts';
import type { CellOperation } from './operations.ts';
import { sameWorkbook } from './same-workbook.ts';
import { WORKBOOK_VERSION } from './version.ts';
import type { Workbook } from './workbook.ts';

/** The model of spreadsheets: workbooks, changed by `CellOperation`s. */
export const cellModel: KindModel<Workbook, CellOperation, null, CellRules> = {
  name: cellKind.model.name,
  version: WORKBOOK_VERSION,
  parse: (value) => ({ doc: parseWorkbook(value), rights: null }),
  equals: sameWorkbook,
  rules: () => new CellRules(),
  encode: encodeChange,
  apply: applyStep,
  admit: () => true,
  checkpoint: (base, { doc, log }) => checkpointOf(base, doc, log),
  documentAt: (base, value) => {
    const { doc, log } = documentAt(base.doc, value);
    return { doc, rules: new CellRules(), log };
  },
};
