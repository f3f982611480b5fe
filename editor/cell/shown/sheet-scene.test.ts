import { expect, it } from 'vitest';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { changedWorkbook } from '../../../model/cell/testing/changed-workbook.ts';
import { ConditionalFormats } from './conditional-formats.ts';
import { SceneCache } from './scene-cache.ts';
import { SheetScene } from './sheet-scene.ts';

const begun = parseWorkbook(blankWorkbook());
const sheet = begun.sheets[0]!.id;

/** The first sheet of a blank workbook that was changed, as it is drawn. */
function sceneAfter(...operations: readonly CellOperation[]): SheetScene {
  const workbook = changedWorkbook(begun, operations);
  const measures = {
    measure: (text: string) => text.length * 7,
    heights: () => ({ ascent: 10, descent: 3 }),
  };
  return new SheetScene(
    workbook,
    workbook.sheets[0]!,
    new SceneCache(),
    {
      settings: { locale: 'en' },
      scale: { zoom: 1, pixelRatio: 1, digitPx: 7 },
      measures,
      valueOf: () => undefined,
      isStale: () => false,
      // A rule for whole rows, of which only the second one is meant.
      conditionalFormats: ConditionalFormats,
      formulaValue: (_sheet, _formula, row) => row === 1,
    },
    null,
  );
}

it('[XS189] a rule colours empty cells too: those of a whole row, and those that are looked for', () => {
  const fill = { pattern: 'solid', color: { rgb: 'FFFF00' } };
  const rule = (id: string, item: Partial<ItemOf<'condition'>>): CellOperation =>
    ({
      ...{ op: 'put', sheet, kind: 'condition', id },
      item: { priority: 1, formulas: [], format: { fill }, ...item },
    }) as CellOperation;
  const scene = sceneAfter(
    { op: 'set', sheet, cells: [[1, 0, { v: 'late' }]] },
    rule('c1', { areas: [[0, 0, 9, 3]], type: 'expression', formulas: ['$A1="late"'] }),
    rule('c2', { areas: [[20, 0, 20, 0]], type: 'containsBlanks' }),
  );
  const isColored = (row: number, column: number) => scene.cellAt(row, column)?.look.fill?.kind === 'solid';
  expect([0, 1, 2, 3, 4].map((column) => isColored(1, column))).toEqual([true, true, true, true, false]);
  expect([isColored(2, 0), isColored(20, 0)]).toEqual([false, true]);
  // What no rule concerns is nothing, as before.
  expect([scene.cellAt(2, 1), scene.cellAt(30, 0)]).toEqual([null, null]);
});
