import { expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { itemsOf, type Workbook } from '../../../model/cell/workbook.ts';
import { eventually } from '../../../test/support/eventually.ts';
import type { CellEditor } from '../cell-editor.ts';
import { areasName } from '../commands/ruled-areas.ts';
import { type CellPosition, cornerOf, rangeName, readRange } from '../grid/cell-areas.ts';
import type { Selection } from '../grid/selection.ts';
import { SceneCache } from '../shown/scene-cache.ts';
import { SheetScene } from '../shown/sheet-scene.ts';
import { copiedBlock } from './copied-block.ts';
import { copyCells, readOwn } from './copied-cells.ts';
import { copyTo, pasteCopy } from './paste-copy.ts';
import { plainPaste } from './paste-options.ts';

const blank = parseWorkbook(blankWorkbook());
const { id } = blank.sheets[0]!;
const settings = { locale: 'en' };
const rules = { condition: new Map(), validation: new Map() };
const range = (name: string) => readRange(name)!;

// Every letter is 7 pixels wide.
const measures = { measure: (text: string) => text.length * 7, heights: () => ({ ascent: 10, descent: 3 }) };

const sceneOf = (workbook: Workbook): SheetScene =>
  new SheetScene(
    workbook,
    workbook.sheets[0]!,
    new SceneCache(),
    {
      ...{ settings, scale: { zoom: 1, pixelRatio: 1, digitPx: 7 } },
      measures,
      valueOf: () => undefined,
      formulaValue: () => undefined,
      isStale: () => false,
    },
    null,
  );

/** A workbook once cells of its sheet were copied to another place there, and what is selected then. */
function copied(workbook: Workbook, from: string, to: string): [Workbook, string] {
  const view = sceneOf(workbook);
  let [after, ids] = [workbook, 0];
  let selection: Selection | null = null;
  const { grid } = view.sheet;
  const editor = {
    selection: { peek: () => selection },
    page: {
      ...{
        settings,
        measures,
        digitPx: 7,
        sheet: view.sheet,
        workbook: { peek: () => workbook },
        view: { peek: () => view },
      },
      sheetId: { peek: () => id },
      cellAt: ({ row, column }: CellPosition) => grid.cell(row, column),
      formatAt: ({ row, column }: CellPosition) => workbook.formats.at(grid.cell(row, column).format),
    },
    newId: () => `new${ids++}`,
    select(chosen: Selection) {
      selection = chosen;
    },
    change(...operations: CellOperation[]) {
      after = changedWorkbook(after, operations);
      return true;
    },
  };
  copyTo(editor as unknown as CellEditor, range(from), cornerOf(range(to)));
  return [after, rangeName(selection!.ranges[0]!)];
}

it('[XS311] values of formulas that were copied before they were calculated are waited for', async () => {
  const begun = changedWorkbook(blank, [
    {
      ...{ op: 'set', sheet: id },
      cells: [
        [0, 0, { f: '1+1', v: null }],
        [1, 0, { f: '2+2', v: 4 }],
        [2, 0, { f: '3+3', v: null }],
      ],
    },
  ]);
  const view = sceneOf(begun);
  const { own } = copyCells(begun, view, copiedBlock(view, [range('A1:A3')])!, 'copy');
  // A3 holds something else by now.
  const now = changedWorkbook(begun, [{ op: 'set', sheet: id, cells: [[2, 0, { f: '4+4', v: null }]] }]);
  let calculated = () => {};
  const calculation = new Promise<void>((resolve) => {
    calculated = resolve;
  });
  const selected = {
    ranges: [range('C1')],
    current: 0,
    active: cornerOf(range('C1')),
    head: cornerOf(range('C1')),
  };
  const made: CellOperation[] = [];
  const editor = {
    selection: { peek: () => selected },
    cells: { ruleAnswer: () => calculation, valueOf: (_sheet: string, row: number) => 2 * row + 2 },
    records: { begin: () => ({ now: (area: unknown) => area, end: () => undefined }) },
    page: {
      ...{ settings, measures, digitPx: 7, sheet: view.sheet },
      workbook: { peek: () => now },
      view: { peek: () => view },
      sheetId: { peek: () => id },
      cellAt: ({ row, column }: CellPosition) => now.sheets[0]!.grid.cell(row, column),
      formatAt: () => ({}),
    },
    newId: () => 'new',
    select: () => undefined,
    change: (...operations: CellOperation[]) => made.push(...operations) > 0,
  } as unknown as CellEditor;
  pasteCopy(editor, readOwn(own)!.table, { ...plainPaste, part: 'values' }, { sheet: id, rules });
  expect(made).toEqual([]);
  calculated();
  await eventually(() => expect(made).not.toEqual([]));
  const { grid } = changedWorkbook(now, made).sheets[0]!;
  expect([0, 1, 2].map((row) => grid.cell(row, 2).value)).toEqual([2, 4, null]);
});

it('[XS147] cells that are copied by their edge are the same at any distance, with merged cells, rules and links', () => {
  const begun = changedWorkbook(blank, [
    {
      ...{ op: 'set', sheet: id },
      cells: [
        [0, 0, { v: 1 }],
        [1, 0, { v: 3 }],
        [1, 1, { f: 'A1+1', v: 2 }],
      ],
    },
    { op: 'put', sheet: id, kind: 'merge', id: 'm', item: { area: range('A1:B1') } },
    {
      op: 'put',
      sheet: id,
      kind: 'link',
      id: 'l',
      item: { area: range('A2'), address: 'https://a.example' },
    },
    {
      ...{ op: 'put', sheet: id, kind: 'validation', id: 'v' },
      item: { areas: [range('A1:B2')], type: 'list', formulas: ['"a,b"'] },
    },
  ]);
  const [after, selected] = copied(begun, 'A1:B2', 'D4');
  const { grid } = after.sheets[0]!;
  expect(selected).toBe('D4:E5');
  expect([grid.cell(3, 3).value, grid.cell(4, 3).value, grid.cell(4, 4).formula?.text]).toEqual([
    1,
    3,
    'D4+1',
  ]);
  expect([...itemsOf(after.sheets[0]!, 'merge').values()].map(({ area }) => rangeName(area))).toContain(
    'D4:E4',
  );
  expect([...itemsOf(after.sheets[0]!, 'link').values()].map(({ area }) => rangeName(area))).toEqual([
    'A2',
    'D5',
  ]);
  expect(areasName(itemsOf(after.sheets[0]!, 'validation').get('v')!.areas)).toBe('A1:B2, D4:E5');
});

it('[XS215] numbers and days that are pasted make columns wide enough, unless their width was chosen', () => {
  const begun = changedWorkbook(blank, [
    {
      ...{ op: 'set', sheet: id, formats: [{ number: 'dd.mm.yyyy hh:mm' }] },
      cells: [
        [0, 0, { v: 46_000.5, s: 0 }],
        [1, 0, { v: 'a text is seen over the cells beside it' }],
        [2, 0, { f: '1/3', v: 1 / 3 }],
        [3, 0, { v: 12 }],
      ],
    },
    { op: 'lines', sheet: id, axis: 'column', spans: [[4, 4]], patch: { size: 6, custom: true } },
  ]);
  const widthOf = (column: number, from: string, to: string) =>
    copied(begun, from, to)[0].sheets[0]!.columns.at(column).size ?? null;
  expect(widthOf(3, 'A1', 'D1')).toBeGreaterThan(16);
  expect(widthOf(4, 'A1', 'E1')).toBe(6);
  expect(widthOf(3, 'A2:A4', 'D1')).toBeNull();
});
