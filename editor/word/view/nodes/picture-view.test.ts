import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resized } from './picture-view.ts';

const from = { width: 200, height: 100 };

describe('resizing a picture', () => {
  it('[VW16] keeps its proportions unless asked not to', () => {
    expect(resized({ from, growX: 50, growY: 3, free: false, maxWidth: 600 })).toEqual({
      width: 250,
      height: 125,
    });
    expect(resized({ from, growX: 5, growY: 50, free: false, maxWidth: 600 })).toEqual({
      width: 300,
      height: 150,
    });
    expect(resized({ from, growX: 50, growY: -20, free: true, maxWidth: 600 })).toEqual({
      width: 250,
      height: 80,
    });
  });

  it('[VW16] is never wider than the column, and never nothing', () => {
    const side = fc.integer({ min: 10, max: 2_000 });
    const grow = fc.integer({ min: -5_000, max: 5_000 });
    fc.assert(
      fc.property(side, side, grow, grow, fc.boolean(), (width, height, growX, growY, free) => {
        const size = resized({ from: { width, height }, growX, growY, free, maxWidth: 500 });
        return size.width <= 500 && size.width >= 8 && size.height >= 1;
      }),
    );
  });
});
