import { expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { itemsOf, type Sheet, type Workbook } from '../../../model/cell/workbook.ts';
import { rangeName, readRange } from '../grid/cell-areas.ts';
import type { CellTable } from './cell-table.ts';
import { linksIn } from './copied-links.ts';
import { type PasteOptions, plainPaste } from './paste-options.ts';
import { pastedLinks } from './pasted-links.ts';

const blank = parseWorkbook(blankWorkbook());
const { id: sheet } = blank.sheets[0]!;

const link = (range: string, address: string): CellOperation => ({
  ...{ op: 'put', sheet, kind: 'link', id: range },
  item: { area: readRange(range)!, address },
});

const linksOf = (of: Sheet) =>
  [...itemsOf(of, 'link').values()].map(({ area, address }) => `${rangeName(area)} ${address}`).toSorted();

const table = (...texts: readonly (readonly string[])[]): CellTable => ({
  rows: texts.map((row) =>
    row.map((text) => ({ text, ...(text.startsWith('x:') && { link: { address: text } }) })),
  ),
  merges: [],
});

const origin = { rows: [0], columns: [0], widths: [], heights: null, hasWholeColumns: false };

function after(workbook: Workbook, of: CellTable, to: string, options: Partial<PasteOptions> = {}) {
  let ids = 0;
  const operations = pastedLinks(workbook.sheets[0]!, of, readRange(to)!, {
    options: { ...plainPaste, ...options },
    newId: () => `new${ids++}`,
  });
  return linksOf(changedWorkbook(workbook, operations).sheets[0]!);
}

it('[XS141] cells bring their links along, as often as they are pasted and with rows for columns', () => {
  const pasted = table(['x:1', 'a'], ['b', 'x:2']);
  expect(after(blank, pasted, 'A1:B2')).toEqual(['A1 x:1', 'B2 x:2']);
  expect(after(blank, table(['x:1', 'a']), 'A1:A4', { isTransposed: true })).toEqual(['A1 x:1', 'A3 x:1']);
  expect(after(blank, pasted, 'A1:B2', { part: 'values' })).toEqual([]);
});

it('[XS141] links give way to cells of this program, and to other links', () => {
  const there = changedWorkbook(blank, [link('A1', 'x:old'), link('A2', 'x:old'), link('A3:A9', 'x:old')]);
  expect(after(there, { ...table(['a']), origin }, 'A1')).toEqual(['A2 x:old', 'A3:A9 x:old']);
  expect(after(there, table(['a'], ['x:1']), 'A1:A2')).toEqual(['A1 x:old', 'A2 x:1', 'A3:A9 x:old']);
  const blanks = { ...table(['']), origin };
  expect(after(there, blanks, 'A1', { skipsBlanks: true })).toContain('A1 x:old');
});

it('[XS141] a copy has the link of each of its cells', () => {
  const there = changedWorkbook(blank, [link('A1:A2', 'x:1'), link('C3', 'x:2')]);
  const linkAt = linksIn(there.sheets[0]!, [readRange('A2:B9')!]);
  expect([linkAt(0, 0), linkAt(1, 0), linkAt(2, 2)]).toEqual([null, { address: 'x:1' }, null]);
});
