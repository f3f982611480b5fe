import { describe, expect, it } from 'vitest';
import { applyChange, applyOperation, encodeChange } from '../../model/cell/change.ts';
import type { Chart } from '../../model/cell/chart.ts';
import type { ChartChange } from '../../model/cell/chart-change.ts';
import { blankWorkbook, parseWorkbook } from '../../model/cell/document.ts';
import type { Drawing } from '../../model/cell/items.ts';
import type { CellOperation } from '../../model/cell/operations.ts';
import { itemsOf, sheetOf, type Workbook } from '../../model/cell/workbook.ts';
import { effectsOf } from './effects.ts';
import { inverseOf } from './inverse.ts';
import { Rebase } from './rebase.ts';

const [sheet, id] = ['s1', 'm.1'];
const chart: Chart = {
  ...{ type: 'column', grouping: 'clustered', title: 'Sales', legend: 'right', minimum: 0 },
  series: ['B', 'C', 'D'].map((column) => ({
    name: `Sheet1!$${column}$1`,
    values: `Sheet1!$${column}$2:$${column}$9`,
    cached: { values: [1, 2] },
  })),
};
const drawing: Drawing = {
  ...{ kind: 'chart', order: 0, chart },
  anchor: { from: [1, 5, 0, 0], to: [9, 9, 0, 0], follows: 'both' },
};
const done = (workbook: Workbook, operation: CellOperation): Workbook => {
  const after = applyOperation(workbook, operation);
  if (typeof after === 'string') throw new Error(after);
  return after;
};
const begun = done(parseWorkbook(blankWorkbook()), { op: 'put', sheet, kind: 'drawing', id, item: drawing });
const change = (of: ChartChange): CellOperation => ({ op: 'chart', sheet, id, ...of });
const chartIn = (workbook: Workbook, of = sheet) =>
  itemsOf(sheetOf(workbook, of)!, 'drawing').get(id)!.chart!;

/** What one person has made on a workbook, behind what somebody else has made on it meanwhile. */
function behind(workbook: Workbook, own: CellOperation, other: CellOperation): Workbook {
  const after = done(workbook, other);
  const rebased = new Rebase(effectsOf(other), after).made([{ operation: own, document: workbook }]);
  return rebased.document;
}

/** One person changes a chart, another does, and the first takes back. */
function takenBack(own: ChartChange, other: ChartChange): Chart {
  const after = done(begun, change(own));
  const later = done(after, change(other));
  const back = inverseOf([{ operation: change(own), document: begun }], after);
  let document = later;
  for (const { operation } of new Rebase(effectsOf(change(other)), later)
    .made(back.map((operation) => ({ operation, document: after })))
    .made.filter((one) => one !== null))
    document = done(document, operation);
  return chartIn(document);
}

describe('changes of a chart', () => {
  it('[XG10] of several people all count, each for what it names', () => {
    const [own, other] = [change({ patch: { title: 'Mine' } }), change({ patch: { legend: 'bottom' } })];
    expect(chartIn(behind(begun, own, other))).toMatchObject({ title: 'Mine', legend: 'bottom', minimum: 0 });
    const named = change({ series: { 1: { name: '"Two"' } } });
    const both = chartIn(behind(begun, named, change({ series: { 0: null } })));
    expect(both.series).toMatchObject([{ name: '"Two"', index: 1 }, { index: 2 }]);
    // A kind that another chooses keeps what was named meanwhile.
    const kind = change({ patch: { type: 'pie', grouping: null } });
    expect(chartIn(behind(begun, named, kind))).toMatchObject({
      type: 'pie',
      series: [{}, { name: '"Two"' }, {}],
    });
  });

  it('[XG10] lead to the cells that they were made for, wherever others have moved these', () => {
    const own = change({ series: { 0: { values: 'Sheet1!$F$2:$F$9' } } });
    const other: CellOperation = { op: 'insert', sheet, axis: 'column', at: 0, count: 2 };
    expect(chartIn(behind(begun, own, other)).series[0]).toEqual({
      name: 'Sheet1!$D$1',
      values: 'Sheet1!$H$2:$H$9',
    });
  });

  it('[XG11] are taken back alone: what others have changed since stays', () => {
    const own: ChartChange = { patch: { title: 'Mine', type: 'pie', grouping: null }, series: { 2: null } };
    const after = done(begun, change(own));
    const back = inverseOf([{ operation: change(own), document: begun }], after).reduce(done, after);
    expect(chartIn(back)).toEqual(chart);
    expect(
      takenBack(own, { patch: { title: 'Theirs' }, series: { 0: { color: { rgb: 'FF0000' } } } }),
    ).toMatchObject({
      ...{ type: 'column', grouping: 'clustered', title: 'Theirs' },
      series: [{ color: { rgb: 'FF0000' } }, {}, { values: 'Sheet1!$D$2:$D$9' }],
    });
  });

  it('[XG12] beyond what a chart may have are refused, whoever sends them', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [at, { values: 'Sheet1!$B$2' }]));
    const refused: readonly (readonly [string, unknown])[] = [
      ['unknown-step', { patch: { background: { rgb: '000000' } } }],
      ['unknown-step', { patch: { title: 'x'.repeat(40_000) } }],
      ['unknown-step', { patch: { minimum: '1' } }],
      ['unknown-step', { series: { __proto__x: {} } }],
      ['unknown-step', { series: { 0: { values: 'A'.repeat(9_000) } } }],
      ['unknown-step', { series: { 0: { points: Array.from({ length: 600 }, (_, at) => ({ at })) } } }],
      ['unknown-step', { axes: { depth: {} } }],
      ['unknown-step', { order: ['0'] }],
      ['invalid-content', { series: many }],
      ['invalid-content', { patch: { type: 'surface' } }],
      ['invalid-content', { patch: { type: null } }],
    ];
    for (const [reason, given] of refused) {
      const text = encodeChange('mallory', { op: 'chart', sheet, id, ...(given as object) }, 1);
      expect(applyChange(begun, text), text.slice(0, 200)).toBe(reason);
    }
    expect(applyOperation(begun, { ...change({ patch: { title: 'x' } }), id: 'm.2' } as CellOperation)).toBe(
      'out-of-range',
    );
    const later = { ...chart, type: 'waterfall', series: [], editable: false };
    const closed = done(begun, { op: 'patch', sheet, kind: 'drawing', id, patch: { chart: later } });
    expect(applyOperation(closed, change({ patch: { title: 'x' } }))).toBe('invalid-content');
    const combined = done(begun, {
      op: 'patch',
      sheet,
      kind: 'drawing',
      id,
      patch: { chart: { ...chart, editable: false } },
    });
    expect(applyOperation(combined, change({ patch: { type: 'line', grouping: null } }))).toBe(
      'invalid-content',
    );
    expect(chartIn(done(combined, change({ patch: { title: 'x' } }))).title).toBe('x');
    const guarded = done(begun, { op: 'sheet', sheet, patch: { protection: { allows: [] } } });
    expect(applyOperation(guarded, change({ patch: { title: 'x' } }))).toBe('not-allowed');
    const commenter = { name: 'C', may: ['comment'] } as const;
    expect(applyOperation(begun, change({ patch: { title: 'x' } }), commenter as never)).toBe('not-allowed');
  });

  it('[XG13] keep the numbers of series, and what the file had last of cells that are still meant', () => {
    const next = chartIn(done(begun, change({ series: { 0: null, 1: { values: 'Sheet1!$H$2' } } })));
    expect(next.series).toEqual([
      { name: 'Sheet1!$C$1', values: 'Sheet1!$H$2', index: 1 },
      { ...chart.series[2], index: 2 },
    ]);
  });

  it('[XG14] a copied sheet has its charts, which are of its own cells', () => {
    const copied = done(begun, { op: 'addSheet', sheet: 'm.9', name: 'Copy', at: 1, copyOf: sheet });
    expect(chartIn(copied, 'm.9')).toMatchObject({
      minimum: 0,
      series: [{ values: 'Copy!$B$2:$B$9' }, {}, {}],
    });
    expect(itemsOf(sheetOf(copied, 'm.9')!, 'drawing').get(id)!.copyOf).toEqual([sheet, id]);
  });
});
