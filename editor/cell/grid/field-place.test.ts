import { describe, expect, it } from 'vitest';
import { plainSheet } from '../testing/plain-sheet.ts';
import { fieldSpan } from './field-place.ts';
import { GridLayout } from './grid-layout.ts';

const layoutOf = (isRightToLeft: boolean) =>
  new GridLayout({
    sheet: plainSheet({ isRightToLeft }),
    ...{ width: 500, height: 300, scroll: { x: 0, y: 0 }, pixelRatio: 1 },
  });

describe('the field that is typed in', () => {
  it('[XS54] grows away from where its text stands, up to the edge of the cells', () => {
    const cell = { x: 200, width: 64 };
    const layout = layoutOf(false);
    expect(fieldSpan(cell, 30, layout, 'general')).toEqual(cell);
    expect(fieldSpan(cell, 100, layout, 'general')).toEqual({ x: 200, width: 100 });
    expect(fieldSpan(cell, 900, layout, 'left')).toEqual({ x: 200, width: 300 });
    expect(fieldSpan(cell, 100, layout, 'right')).toEqual({ x: 164, width: 100 });
    expect(fieldSpan(cell, 900, layout, 'right').x).toBe(layout.headerWidth);
    expect(fieldSpan(cell, 400, layout, 'center')).toEqual({ x: 100, width: 400 });
  });

  it('[XS54] grows to the left in a sheet from right to left', () => {
    const cell = { x: 200, width: 64 };
    const layout = layoutOf(true);
    expect(fieldSpan(cell, 100, layout, 'general')).toEqual({ x: 164, width: 100 });
    expect(fieldSpan(cell, 900, layout, 'general')).toEqual({ x: 0, width: 264 });
    expect(fieldSpan(cell, 100, layout, 'left')).toEqual({ x: 200, width: 100 });
  });
});
