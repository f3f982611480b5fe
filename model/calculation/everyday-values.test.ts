import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compileEngine } from './engine-instance.ts';
import { cellOf } from './formula-tokens.ts';
import {
  combinedSections,
  type EverydaySection,
  type EverydayValue,
  everydaySections,
  furtherSections,
} from './testing/everyday-values.ts';
import { openCalculation } from './workbook-calculation.ts';

const engine = compileEngine(readFileSync(new URL('./engine/calculation.wasm', import.meta.url)));
const firstRow = 100;
const column = 40;

/** What the formulas of a section come to, each in a row of its own beside the cells that it reads. */
function shownIn({ cells, formulas, isOld, from1904 }: EverydaySection): unknown[] {
  const kind = isOld ? 'single' : 'dynamic';
  const changes = [
    ...Object.entries(cells).map(([address, content]) => ({ sheet: 0, ...cellOf(address), content })),
    ...formulas.map(({ formula }, index) => ({
      ...{ sheet: 0, row: firstRow + index, column },
      content: { formula, kind } as const,
    })),
  ];
  const contents = new Map(changes.map((one) => [`${one.row}:${one.column}`, one.content]));
  const calculation = openCalculation(engine, {
    ...{ sheets: ['Sheet1'], names: [], tables: [], from1904, iterates: false },
    changes: () => changes,
    content: (_sheet, row, at) => contents.get(`${row}:${at}`) ?? null,
  });
  calculation.recalculate({ timeMs: Date.UTC(2026, 2, 4, 12), timeZone: 'UTC', seed: 7 });
  const values = new Map(calculation.changed().map((one) => [`${one.row}:${one.column}`, one.value]));
  return formulas.map((_, index) => {
    const row = firstRow + index;
    return calculation.stale(0, row, column) ?? values.get(`${row}:${column}`) ?? null;
  });
}

const isIt = (shown: unknown, { value, tolerance }: EverydayValue): boolean =>
  typeof value === 'number' && typeof shown === 'number'
    ? Math.abs(shown - value) <= tolerance
    : JSON.stringify(shown) === JSON.stringify(value);

function expectAll(section: EverydaySection): void {
  const shown = shownIn(section);
  const wrong = section.formulas.flatMap((one, index) =>
    isIt(shown[index], one)
      ? []
      : [`${one.formula}: ${JSON.stringify(shown[index])}, not ${JSON.stringify(one.value)}`],
  );
  expect(wrong).toEqual([]);
}

describe('[CE106] formulas of everyday sheets come to what Excel makes of them', () => {
  test.each(everydaySections)('$title', expectAll);
});

describe('[CE127] formulas at the edges of functions come to what Excel makes of them', () => {
  test.each(furtherSections)('$title', expectAll);
});

describe('[CE137] formulas that combine functions come to what Excel makes of them', () => {
  test.each(combinedSections)('$title', expectAll);
});
