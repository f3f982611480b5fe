import { describe, expect, it } from 'vitest';
import type { Axis } from '../../../model/cell/area.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellInput } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { itemsOf, type Workbook } from '../../../model/cell/workbook.ts';
import { areasName } from '../commands/ruled-areas.ts';
import { cornerOf, readRange } from '../grid/cell-areas.ts';
import { SceneCache } from '../shown/scene-cache.ts';
import { SheetScene } from '../shown/sheet-scene.ts';
import { copiedBlock } from './copied-block.ts';
import { copyCells, readOwn } from './copied-cells.ts';
import { insertionOf } from './copied-insertion.ts';
import { OwnClipboard } from './own-clipboard.ts';

const settings = { locale: 'en' };
const blank = parseWorkbook(blankWorkbook());
const sheet = blank.sheets[0]!.id;
const range = (name: string) => readRange(name)!;

const filled = (cells: Readonly<Record<string, CellInput>>): Workbook =>
  changedWorkbook(blank, {
    ...{ op: 'set', sheet },
    cells: Object.entries(cells).map(([name, input]) => [range(name)[0], range(name)[1], input]),
  });

const measures = { measure: (text: string) => text.length * 7, heights: () => ({ ascent: 10, descent: 3 }) };

const viewOf = (workbook: Workbook): SheetScene =>
  new SheetScene(
    workbook,
    workbook.sheets[0]!,
    new SceneCache(),
    {
      ...{ settings, scale: { zoom: 1, pixelRatio: 1, digitPx: 7 }, measures },
      ...{ valueOf: () => undefined, formulaValue: () => undefined, isStale: () => false },
    },
    null,
  );

/** What cells hold once others were copied and came in before them. */
function inserted(workbook: Workbook, copied: string, at: string, axis: Axis, now = workbook) {
  const block = copiedBlock(viewOf(workbook), [range(copied)])!;
  const { own } = copyCells(workbook, viewOf(workbook), block, 'c1');
  const lines = block.hasWholeRows ? 'row' : block.hasWholeColumns ? 'column' : null;
  const place = { sheet, axis, cell: cornerOf(range(at)) };
  let ids = 0;
  const operations = insertionOf(now, { sheet, lines }, readOwn(own)!.table, place, {
    settings,
    newId: () => `m${ids++}`,
  });
  const { grid, items } = changedWorkbook(now, ...operations).sheets[0]!;
  const holds = (name: string) => {
    const { formula, value } = grid.cell(range(name)[0], range(name)[1]);
    return formula ? `=${formula.text}` : value;
  };
  return {
    holds: (...names: string[]) => names.map(holds),
    height: (row: number) => grid.row(row - 1)?.line.size,
    merges: [...itemsOf({ items }, 'merge').values()].map(({ area }) => area),
    carried: [
      ...[...itemsOf({ items }, 'validation').values()].map(({ areas }) => areasName(areas)),
      ...[...itemsOf({ items }, 'link').values()].map(({ area }) => areasName([area])),
    ],
  };
}

describe('[XS173] copied cells that come in between others', () => {
  const rows = filled({
    A1: { v: 'a' },
    A2: { v: 2 },
    B2: { f: 'A2*$A$9+A1' },
    A4: { v: 4 },
    A9: { v: 9 },
    C9: { f: 'SUM(A1:A9)' },
  });

  it('[XS148] take their rules and links along', () => {
    const ruled = changedWorkbook(
      rows,
      {
        ...{ op: 'put', sheet, kind: 'validation', id: 'v' },
        item: { areas: [range('B4')], type: 'list', formulas: ['"a,b"'] },
      },
      { op: 'put', sheet, kind: 'link', id: 'l', item: { area: range('A4'), address: 'https://a.example' } },
    );
    expect(inserted(ruled, '4:4', 'A2', 'row').carried).toEqual(['B5, B2', 'A5', 'A2']);
    expect(inserted(ruled, 'A4:B4', 'A9', 'row').carried).toEqual(['B4, B9', 'A4', 'A9']);
  });

  it('are rows with their formulas as they are when room has been made', () => {
    const { holds } = inserted(rows, '2:2', 'A4', 'row');
    expect(holds('A4', 'B4', 'A5', 'B2', 'C10')).toEqual([
      2,
      '=A4*$A$10+A3',
      4,
      '=A2*$A$10+A1',
      '=SUM(A1:A10)',
    ]);
  });

  it('come in between those that were copied, too', () => {
    const { holds } = inserted(rows, '1:2', 'A2', 'row');
    expect(holds('A1', 'A2', 'A3', 'A4')).toEqual(['a', 'a', 2, 2]);
    expect(holds('B3', 'B4')).toEqual(['=A3*$A$11+#REF!', '=A4*$A$11+A1']);
  });

  it('are columns, or cells that others make room for', () => {
    expect(inserted(rows, 'A:A', 'B1', 'column').holds('B2', 'C2')).toEqual([2, '=A2*$A$9+A1']);
    expect(inserted(rows, 'A1:A2', 'A1', 'row').holds('A1', 'A2', 'A3', 'A4', 'B2')).toEqual([
      ...['a', 2, 'a', 2],
      '=A4*$A$11+A3',
    ]);
    expect(inserted(rows, 'B2', 'A2', 'column').holds('A2', 'B2', 'C2')).toEqual([
      ...['=#REF!*$A$9+#REF!', 2],
      '=B2*$A$9+A1',
    ]);
  });

  it('have the merged cells and heights of what was copied', () => {
    const workbook = changedWorkbook(
      rows,
      {
        op: 'set',
        sheet,
        cells: [
          [1, 3, { v: 'wide' }],
          [1, 5, { v: 'end' }],
        ],
      },
      { op: 'put', sheet, kind: 'merge', id: 'm', item: { area: range('D2:E2') } },
      { op: 'lines', sheet, axis: 'row', spans: [[1, 1]], patch: { size: 40, custom: true } },
    );
    const { merges, height } = inserted(workbook, '2:2', 'A2', 'row');
    expect(merges).toEqual([range('D3:E3'), range('D2:E2')]);
    expect([height(2), height(3)]).toEqual([40, 40]);
  });

  it('are what was copied, also where something else stands there by now', () => {
    const now = changedWorkbook(rows, { op: 'insert', sheet, axis: 'row', at: 0, count: 1 });
    expect(inserted(rows, '2:2', 'A5', 'row', now).holds('A5', 'B5')).toEqual([2, '=A5*$A$9+A4']);
  });

  it('lose their frame where cells were moved, and take it along where others have moved them', () => {
    const clipboard = new OwnClipboard();
    const rules = { condition: new Map(), validation: new Map() };
    const copied = {
      sheet,
      areas: [range('2:3')],
      lines: 'row',
      isCut: true,
      isFramed: true,
      rules,
    } as const;
    clipboard.copyCells({ ...copied, id: 'c', own: '' });
    clipboard.follow((_, [top, left, bottom, right]) => [top + 2, left, bottom + 2, right]);
    expect(clipboard.cells.peek()).toMatchObject({ areas: [range('4:5')], isFramed: true });
    clipboard.made([{ op: 'set', sheet, cells: [] }]);
    expect(clipboard.cells.peek()?.isFramed).toBe(true);
    clipboard.made([{ op: 'delete', sheet, axis: 'row', at: 9, count: 1 }]);
    expect(clipboard.cells.peek()?.isFramed).toBe(false);
    clipboard.copyCells({ ...copied, id: 'd', own: '' });
    clipboard.follow(() => null);
    expect(clipboard.cells.peek()?.isFramed).toBe(false);
  });
});
