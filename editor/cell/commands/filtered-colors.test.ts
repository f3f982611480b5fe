import { describe, expect, it } from 'vitest';
import type { Color } from '../../../model/cell/cell-format.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { FilterColumn } from '../../../model/cell/filter-columns.ts';
import type { Item } from '../../../model/cell/items.ts';
import type { CellInput, CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import type { CellEditor } from '../cell-editor.ts';
import type { CellPosition } from '../grid/cell-areas.ts';
import { ConditionalFormats } from '../shown/conditional-formats.ts';
import { SceneCache } from '../shown/scene-cache.ts';
import { SheetScene } from '../shown/sheet-scene.ts';
import type { FilteredColumn } from './filtered-lists.ts';
import { colorsOf, columnOfColor, filterColorOf, setFilter, sortByColor } from './filtering.ts';

const begun = parseWorkbook(blankWorkbook());
const sheet = begun.sheets[0]!.id;
const filled = (color: Color) => ({ fill: { pattern: 'solid', color } });
/** Of the theme of Office, which this workbook has not said to be another. */
const accent = { theme: 4 };
const looks = [{}, filled({ rgb: 'FFFF00' }), filled(accent), { font: { color: { rgb: 'FF0000' } } }];

/** A heading and seven rows below it, of which the fourth is hidden; their looks by place. */
const looksOfRows = [0, 1, 0, 2, 1, 3, 1, 2];
const cells = looksOfRows.map((look, row): [number, number, CellInput] => [
  row,
  0,
  { v: `r${row}`, s: look },
]);
const green = {
  ...{ areas: [[2, 0, 2, 0]], type: 'expression', formulas: ['TRUE'], priority: 1 },
  format: filled({ rgb: '00FF00' }),
} as unknown as Item;
const workbook = changedWorkbook(begun, [
  { op: 'set', sheet, cells, formats: looks },
  { op: 'lines', sheet, axis: 'row', spans: [[4, 4]], patch: { filtered: true } },
  { op: 'put', sheet, kind: 'condition', id: 'c', item: green },
]);

/** @param own by what the column is filtered */
function editing(own: FilterColumn | null = null) {
  const made: CellOperation[] = [];
  const measures = {
    measure: (text: string) => text.length * 7,
    heights: () => ({ ascent: 10, descent: 3 }),
  };
  const view = new SheetScene(
    workbook,
    workbook.sheets[0]!,
    new SceneCache(),
    {
      settings: { locale: 'en' },
      scale: { zoom: 1, pixelRatio: 1, digitPx: 7 },
      measures,
      valueOf: () => undefined,
      isStale: () => false,
      conditionalFormats: ConditionalFormats,
      formulaValue: () => true,
    },
    null,
  );
  const editor = {
    role: { canFilter: true },
    page: {
      sheet: workbook.sheets[0]!,
      view: { peek: () => view },
      sheetId: { peek: () => sheet },
      workbook: { peek: () => workbook },
      settings: { locale: 'en' },
      formatAt: ({ row, column }: CellPosition) => workbook.formats.at(view.formatAt(row, column)),
    },
    change: (...operations: CellOperation[]) => {
      made.push(...operations);
      // What is filtered is said only where it was done.
      return false;
    },
  } as unknown as CellEditor;
  const columns = own ? [own] : [];
  const column: FilteredColumn = { kind: 'filter', id: 'f', body: [1, 0, 7, 0], column: 0, columns, own };
  return { editor, column, made };
}

const hiddenBy = (made: readonly CellOperation[]) =>
  made.flatMap((one) => (one.op === 'lines' && one.patch.filtered ? one.spans : []));

describe('the colours of a column', () => {
  it('[XS236] are those that are seen: of the theme, of texts, and of conditional formats', () => {
    const { editor, column } = editing();
    expect(colorsOf(editor, column)).toEqual({
      fills: ['#ffff00', '#00ff00', '#4472c4', null],
      fonts: ['#ff0000', null],
    });
  });

  it('[XS236] put the rows with one of them first: the others keep their order, and hidden ones their place', () => {
    const order = (css: string | null, ofFont: boolean) => {
      const { editor, column, made } = editing();
      sortByColor(editor, column, css, ofFont);
      return made.map((one) => (one.op === 'sort' ? one.order : one.op));
    };
    expect(order('#4472c4', false)).toEqual([[3, 7, 1, 2, 5, 6]]);
    expect(order('#00ff00', false)).toEqual([[2, 1, 3, 5, 6, 7]]);
    expect(order('#ff0000', true)).toEqual([[5, 1, 2, 3, 6, 7]]);
    expect(order(null, false)).toEqual([[5, 1, 2, 3, 6, 7]]);
    expect(order('#ffff00', false)).toEqual([[1, 6, 2, 3, 5, 7]]);
  });

  it('[XS236] filter rows, and are offered again as the one by which the column is filtered', () => {
    const { editor, column, made } = editing();
    setFilter(editor, column, columnOfColor(column, '#4472c4', false));
    expect(hiddenBy(made)).toEqual([
      [1, 2],
      [4, 6],
    ]);
    const own = (color: Color, ofFont = false): FilterColumn => ({ column: 0, color: { color, ofFont } });
    const offered = (filter: FilterColumn | null) => {
      const { editor: one, column: of } = editing(filter);
      return filterColorOf(one, of);
    };
    // A file names a colour of the theme, or of the palette of old.
    expect(offered(own(accent))).toBe('#4472c4');
    expect(offered(own({ indexed: 5 }))).toBe('#ffff00');
    expect(offered(own({ rgb: 'FFFF00' }))).toBe('#ffff00');
    expect(offered(own({ auto: true }))).toBe(null);
    expect(offered({ column: 0, values: ['x'] })).toBe(undefined);
    expect(offered(null)).toBe(undefined);
  });
});
