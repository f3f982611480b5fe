import { expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { SceneCache } from './scene-cache.ts';
import { SheetScene } from './sheet-scene.ts';

/** Each letter is as wide as 7 pixels: a column of 64 has room for 8 of them. */
const measures = { measure: (text: string) => text.length * 7, heights: () => ({ ascent: 10, descent: 3 }) };
const words = 'some words which take several lines';
const begun = parseWorkbook(blankWorkbook());
const sheet = begun.sheets[0]!.id;
const formats = [{ align: { wrap: true } }, { font: { size: 30 } }];
const put = (row: number, column: number, v: string | number, format: number): CellOperation => ({
  op: 'set',
  sheet,
  cells: [[row, column, { v, s: format }]],
  formats,
});
const line = (row: number, patch: { size?: number; hidden?: true; custom?: true }): CellOperation => ({
  op: 'lines',
  sheet,
  axis: 'row',
  spans: [[row, row]],
  patch,
});

const cache = new SceneCache();

const sceneOf = (workbook: Workbook, before: SheetScene | null = null, zoom = 1) =>
  new SheetScene(
    workbook,
    workbook.sheets[0]!,
    cache,
    {
      settings: { locale: 'en', date1904: false },
      scale: { zoom, pixelRatio: 1, digitPx: 7 },
      measures,
      valueOf: () => undefined,
      formulaValue: () => undefined,
      isStale: () => false,
    },
    before,
  );

const heights = (scene: SheetScene, count: number) =>
  Array.from({ length: count }, (_, row) => scene.rows.sizeOf(row));

it('[XS129] a row of which the file says no height is as high as text needs that is broken, turned or large', () => {
  const workbook = changedWorkbook(
    begun,
    put(0, 0, words, 0),
    put(1, 0, 'short', 0),
    put(2, 0, 'one\ntwo', 0),
    put(3, 0, 'large', 1),
    put(4, 0, 1234567890123, 0),
    put(5, 0, words, 0),
    line(5, { size: 15 }),
    put(6, 0, words, 0),
    line(6, { hidden: true }),
    put(7, 0, words, 0),
    { op: 'put', sheet, kind: 'merge', id: 'm', item: { area: [7, 0, 8, 0] } },
    put(9, 0, words, 0),
    line(9, { custom: true }),
  );
  const scene = sceneOf(workbook);
  const [wrapped, short, broken, large, ...others] = heights(scene, 10);
  const { lineFactor, sizePx } = scene.cellAt(0, 0)!.look.text;
  expect(wrapped).toBe(Math.ceil(6 * lineFactor * sizePx + 2));
  expect([short, broken]).toEqual([20, Math.ceil(2 * lineFactor * sizePx + 2)]);
  expect(large).toBe(Math.ceil(40 * lineFactor + 2));
  expect(others).toEqual([20, 20, 0, 20, 20, 20]);
  expect(sceneOf(workbook, scene, 2).rows.sizeOf(0)).toBe(2 * wrapped!);
});

it('[XS129] heights follow what is typed, and how wide columns are', () => {
  const first = changedWorkbook(begun, put(0, 0, words, 0), put(1, 0, 'short', 0));
  const scene = sceneOf(first);
  const steps: CellOperation[] = [
    put(1, 0, words, 0),
    put(2, 0, 7, 0),
    put(0, 0, 'short', 0),
    { op: 'lines', sheet, axis: 'column', spans: [[0, 0]], patch: { size: 60 } },
    { op: 'put', sheet, kind: 'merge', id: 'm', item: { area: [1, 0, 2, 0] } },
  ];
  let [workbook, shown] = [first, scene];
  for (const step of steps) {
    workbook = changedWorkbook(workbook, step);
    shown = sceneOf(workbook, shown);
    expect(heights(shown, 4), step.op).toEqual(heights(sceneOf(workbook), 4));
  }
  expect(heights(shown, 4)).toEqual([20, 20, 20, 20]);
});

it('[XS129] rows behind those that are measured as they are drawn are as high', () => {
  const rows = Array.from({ length: 6_000 }, () => [{ v: words, s: 0 }]);
  const workbook = changedWorkbook(begun, { op: 'block', sheet, row: 0, column: 0, rows, formats });
  const { rows: axis } = sceneOf(workbook);
  expect(axis.sizeOf(5_999)).toBe(axis.sizeOf(0));
  expect(axis.sizeOf(0)).toBeGreaterThan(60);
});
