import { expect, it } from 'vitest';
import type { LimitedAct } from '../log/change-author.ts';
import { applyChange, encodeChange } from './change.ts';
import { blankWorkbook, parseWorkbook } from './document.ts';
import { type Drawing, type ItemKind, type ItemOf, isWorkbookItemKind, itemSchemas } from './items.ts';
import type { CellOperation, OperationName, OperationNamed } from './operations.ts';
import { changedWorkbook } from './testing/changed-workbook.ts';
import type { Workbook } from './workbook.ts';

const sheet = 's1';
const drawing: Drawing = {
  kind: 'chart',
  order: 0,
  anchor: { from: [1, 5, 0, 0], to: [9, 9, 0, 0], follows: 'both' },
  chart: { type: 'column', title: 'Sales', series: [{ values: 'Sheet1!$B$2:$B$9' }] },
};
const comment = (author: string): ItemOf<'comment'> => ({
  cell: [3, 3],
  author,
  date: null,
  text: 'why?',
});

/** With cells, two sheets, one that was removed, a chart, a name, and a comment of Zoe's. */
const workbook = changedWorkbook(
  parseWorkbook(blankWorkbook()),
  {
    op: 'set',
    sheet,
    cells: [
      [0, 0, { v: 'b' }],
      [1, 0, { v: 'a' }],
    ],
  },
  { op: 'addSheet', sheet: 'z.1', name: 'Two', at: 1 },
  { op: 'addSheet', sheet: 'z.2', name: 'Gone', at: 2 },
  { op: 'removeSheet', sheet: 'z.2' },
  { op: 'put', sheet, kind: 'drawing', id: 'z.1', item: drawing },
  { op: 'put', sheet: null, kind: 'name', id: 'z.1', item: { name: 'Quota', formula: 'Sheet1!$A$1' } },
  { op: 'put', sheet, kind: 'comment', id: 'z.1', item: comment('Zoe') },
);

/** One that applies of each kind: a kind that is new has to have one here. */
const operations: { readonly [Name in OperationName]: OperationNamed<Name> } = {
  set: { op: 'set', sheet, cells: [[0, 0, { v: 1 }]] },
  block: { op: 'block', sheet, row: 0, column: 0, rows: [[1]] },
  clear: { op: 'clear', sheet, areas: [[0, 0, 0, 0]], part: 'all' },
  fill: { op: 'fill', sheet, from: [0, 0, 0, 0], to: [0, 0, 4, 0], part: 'all' },
  format: { op: 'format', sheet, areas: [[0, 0, 0, 0]], patch: { font: { bold: true } } },
  insert: { op: 'insert', sheet, axis: 'row', at: 0, count: 1 },
  delete: { op: 'delete', sheet, axis: 'row', at: 0, count: 1 },
  move: { op: 'move', sheet, axis: 'row', at: 0, count: 1, to: 5 },
  moveCells: { op: 'moveCells', sheet, area: [0, 0, 0, 0], toSheet: 'z.1', row: 2, column: 2 },
  sort: { op: 'sort', sheet, axis: 'row', band: [0, 0], order: [1, 0] },
  lines: { op: 'lines', sheet, axis: 'row', spans: [[0, 0]], patch: { hidden: true } },
  addSheet: { op: 'addSheet', sheet: 'm.1', name: 'Mine', at: 0 },
  removeSheet: { op: 'removeSheet', sheet: 'z.1' },
  restoreSheet: { op: 'restoreSheet', sheet: 'z.2' },
  moveSheet: { op: 'moveSheet', sheet: 'z.1', to: 0 },
  sheet: { op: 'sheet', sheet, patch: { protection: { allows: [] } } },
  put: { op: 'put', sheet: null, kind: 'name', id: 'm.1', item: { name: 'Mine', formula: '1' } },
  patch: { op: 'patch', sheet: null, kind: 'name', id: 'z.1', patch: { formula: '2' } },
  drop: { op: 'drop', sheet: null, kind: 'name', id: 'z.1' },
  chart: { op: 'chart', sheet, id: 'z.1', patch: { title: 'Mine' } },
  workbook: { op: 'workbook', patch: { protected: true } },
  recalculate: { op: 'recalculate', when: [1_764_000_000_000, 1] },
  several: { op: 'several', operations: [{ op: 'set', sheet, cells: [[0, 0, { v: 1 }]] }] },
  nothing: { op: 'nothing', when: [1_764_000_000_000, 1] },
};

const roles: readonly (readonly LimitedAct[])[] = [
  [],
  ['comment'],
  ['review'],
  ['fill'],
  ['review', 'comment'],
];
const sent = (operation: CellOperation, may?: readonly LimitedAct[]): Workbook | string =>
  applyChange(workbook, { change: encodeChange('m', operation), author: { name: 'Me', may } });

it('[XA14] of each kind of operation nothing applies of who may only comment, review, fill in forms or look', () => {
  for (const operation of Object.values(operations) as CellOperation[]) {
    expect([operation.op, typeof sent(operation)]).toEqual([operation.op, 'object']);
    for (const may of roles) {
      const own: CellOperation = { op: 'put', sheet, kind: 'comment', id: 'm.1', item: comment('Me') };
      expect([operation.op, may, sent(operation, may)]).toEqual([operation.op, may, 'not-allowed']);
      if (operation.op === 'several') continue;
      // Nor in the company of what may be done.
      for (const both of [
        [own, operation],
        [operation, own],
      ])
        expect([operation.op, may, sent({ op: 'several', operations: both }, may)]).toEqual([
          operation.op,
          may,
          'not-allowed',
        ]);
    }
  }
});

it('[XA14] of items of each kind only comments of who may comment can be put in, changed or taken out', () => {
  for (const kind of Object.keys(itemSchemas) as ItemKind[]) {
    const place = { sheet: isWorkbookItemKind(kind) ? null : sheet, kind, id: 'z.1' };
    for (const may of roles) {
      const takes = [
        sent({ op: 'patch', ...place, patch: kind === 'comment' ? { done: true } : {} }, may),
        sent({ op: 'drop', ...place }, may),
      ].map((after) => typeof after === 'object');
      expect([kind, may, takes]).toEqual([kind, may, [kind === 'comment' && may.includes('comment'), false]]);
    }
  }
});
