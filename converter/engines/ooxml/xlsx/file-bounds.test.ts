import { expect, test } from 'vitest';
import type { CellOperation } from '../../../../model/cell/operations.ts';
import { edit } from './testing/xlsx-edit.ts';

const sheet = 's1';
const margins = { left: -1, right: 99, top: 0.5, bottom: 0.5, header: 0, footer: 0 };

test('[XE72] what programs would repair is in the file as the nearest that they take', () => {
  const { part, xml } = edit({}, [
    {
      op: 'format',
      sheet,
      areas: [[0, 0, 0, 0]],
      patch: {
        font: { size: -4, color: { theme: -1.5, tint: 7 } },
        fill: { pattern: 'wool', color: { indexed: 0.6 } },
        border: { left: { style: 'zigzag' } },
        align: { rotation: -7.5, indent: 1e9 },
      },
    },
    {
      op: 'sheet',
      sheet,
      patch: {
        zoomPercent: 1_000,
        frozen: { rows: 0, columns: 1_048_576 },
        rowHeight: 10_000,
        page: { scalePercent: 1.5, paper: 9.4, fitsTo: { width: -1, height: 1e300 }, margins },
      },
    },
    { op: 'lines', sheet, axis: 'column', spans: [[0, 0]], patch: { size: 9_999 } },
    { op: 'workbook', patch: { calculation: { iterates: true, iterations: 1e300, maximumChange: -1 } } },
    {
      op: 'put',
      sheet,
      kind: 'condition',
      id: 'c.1',
      item: { areas: [[0, 0, 0, 0]], type: 'top10', priority: -0.5, formulas: [], rank: 1e9 },
    },
    {
      op: 'put',
      sheet,
      kind: 'drawing',
      id: 'd.1',
      item: {
        ...{ kind: 'shape', order: 1, name: 'a' },
        anchor: { from: [1, 1, 1.5, -1e300], size: [-5, 2.5], follows: 'move' },
      },
    },
    {
      op: 'put',
      sheet,
      kind: 'comment',
      id: 't.1',
      item: { cell: [0, 0], author: 'Ann', date: 'yesterday', text: 'a' },
    },
  ] as readonly CellOperation[]);
  const styles = part('xl/styles.xml');
  for (const said of [
    ...['<sz val="1"/>', '<color theme="0" tint="1"/>', 'patternType="solid"', '<fgColor indexed="1"/>'],
    ...['<left style="thin"/>', 'textRotation="0"', 'indent="250"'],
  ])
    expect(styles).toContain(said);
  for (const said of [
    ...['zoomScale="400"', 'xSplit="16383"', 'topLeftCell="XFD1"', 'defaultRowHeight="409.5"', 'width="255"'],
    ...['scale="10"', 'paperSize="9"', 'fitToWidth="0"', 'fitToHeight="32767"', 'left="0"', 'right="48"'],
    ...['priority="1"', 'rank="1000"'],
  ])
    expect(xml).toContain(said);
  expect(part('xl/workbook.xml')).toContain('iterateCount="32767" iterateDelta="0"');
  const drawing = part('xl/drawings/drawing1.xml');
  expect(drawing).toContain('<xdr:colOff>2</xdr:colOff>');
  expect(drawing).toContain('<xdr:rowOff>-2147483647</xdr:rowOff>');
  expect(drawing).toContain('<xdr:ext cx="0" cy="3"/>');
  expect(part('xl/threadedComments/threadedComment1.xml')).not.toContain('yesterday');
});

const threeRows = {
  ...{ area: [0, 0, 2, 1], name: 'Stock', hasHeader: true },
  columns: [{ name: 'a' }, { name: 'b' }],
};
const table = (item: object, id = 'c.1') => ({ op: 'put', sheet, kind: 'table', id, item }) as CellOperation;
const withoutRows: CellOperation = { op: 'delete', sheet, axis: 'row', at: 1, count: 2 };

test('[XE85] a table whose rows were all taken out has an empty one in the file, with a totals row too', () => {
  const once = edit({}, [table(threeRows), withoutRows]);
  expect(once.part('xl/tables/table1.xml')).toContain('ref="A1:B2"');
  const totals = { ...threeRows, area: [0, 0, 3, 1], hasTotals: true };
  const twice = edit({}, [table(totals), withoutRows]);
  expect(twice.part('xl/tables/table1.xml')).toContain('ref="A1:B3"');
});

test('[XE85] it takes no cells of another table', () => {
  const below = { ...threeRows, area: [3, 0, 5, 1], name: 'Other' };
  const { part } = edit({}, [table(threeRows), table(below, 'c.2'), withoutRows]);
  expect(part('xl/tables/table1.xml')).toContain('ref="A1:B1"');
  expect(part('xl/tables/table2.xml')).toContain('ref="A2:B4"');
});
