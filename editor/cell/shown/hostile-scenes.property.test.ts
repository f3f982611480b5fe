import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CalculationFeed } from '../../../model/cell/calculation-feed.ts';
import { cellModel } from '../../../model/cell/cell-model.ts';
import { applyChange } from '../../../model/cell/change.ts';
import { checkpointOf, documentAt } from '../../../model/cell/checkpoint.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import { sameWorkbook } from '../../../model/cell/same-workbook.ts';
import { itemsOf, type Workbook } from '../../../model/cell/workbook.ts';
import { hostileOperation } from '../../../test/support/fuzzing/hostile-operations.ts';
import { chartWords } from '../charts/chart-words.ts';
import { shownChart } from '../charts/shown-chart.ts';
import { SceneCache } from './scene-cache.ts';
import { SheetScene } from './sheet-scene.ts';
import '../texts.ts';

const blank = parseWorkbook(blankWorkbook());
const settings = { locale: 'en', date1904: false };
const measures = { measure: (text: string) => text.length * 7, heights: () => ({ ascent: 10, descent: 3 }) };
const input = {
  settings,
  scale: { zoom: 1, pixelRatio: 1, digitPx: 7 },
  measures,
  valueOf: () => undefined,
  formulaValue: () => undefined,
  isStale: () => false,
};

function applied(operations: readonly unknown[]): Workbook {
  let workbook = blank;
  for (const [at, operation] of operations.entries()) {
    const after = applyChange(workbook, cellModel.encode('mallory', operation as never, at));
    if (typeof after !== 'string') workbook = after;
  }
  return workbook;
}

/** All that a page makes of a workbook to show it, as far as it needs no screen. */
function show(workbook: Workbook): void {
  const cache = new SceneCache();
  for (const sheet of workbook.sheets) {
    const scene = new SheetScene(workbook, sheet, cache, input, null);
    for (let row = 0; row < 8; row++) {
      expect(scene.rows.sizeOf(row)).toBeGreaterThanOrEqual(0);
      for (let column = 0; column < 8; column++) {
        const cell = scene.cellAt(row, column);
        const fill = cell?.look.fill;
        if (fill?.kind === 'solid') expect(fill.color).toMatch(/^#[0-9a-f]{6}$/i);
      }
    }
    for (const { chart } of itemsOf(sheet, 'drawing').values())
      if (chart) chartWords(shownChart(chart, { workbook, valueOf: () => undefined, settings }), settings);
  }
  [...new CalculationFeed('en').next(workbook)].length;
}

it('[CE83] whatever operations somebody sends, a page shows every sheet and tells its calculation', () => {
  fc.assert(
    fc.property(fc.array(hostileOperation, { minLength: 1, maxLength: 8 }), fc.boolean(), (sent, isOne) => {
      const workbook = applied(isOne ? [{ op: 'several', operations: sent }] : sent);
      show(workbook);
      // Who comes later begins with a checkpoint, and has the same.
      const log = { index: 1, digest: '0'.repeat(16), skipped: 0 };
      const checkpoint = JSON.parse(JSON.stringify(checkpointOf(blank, workbook, log as never)));
      expect(sameWorkbook(documentAt(blank, checkpoint).doc, workbook)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
