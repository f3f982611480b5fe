import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Axis, type AxisRun, hiddenBeside } from './axis.ts';

const count = 30;

const axes = fc
  .array(fc.tuple(fc.nat({ max: 6 }), fc.integer({ min: 1, max: 5 }), fc.constantFrom(0, 0, 7, 20, 33.3)), {
    maxLength: 8,
  })
  .map((parts): readonly AxisRun[] => {
    let at = 0;
    return parts.map(([gap, length, size]) => {
      const from = at + gap;
      at = from + length;
      return { from, to: at, size };
    });
  });

describe('the rows or columns of a sheet as lengths', () => {
  it('[XS1] has every offset, index and neighbour as adding up the sizes one by one gives them', () => {
    fc.assert(
      fc.property(axes, fc.constantFrom(0.5, 1, 1.25, 2), fc.constantFrom(1, 1.5, 2), (runs, zoom, ratio) => {
        const axis = new Axis({ count, defaultSize: 20, runs, zoom, pixelRatio: ratio });
        const sizes = Array.from({ length: count }, (_, index) => {
          const run = runs.find(({ from, to }) => index >= from && index < to);
          const size = run ? run.size : 20;
          return size === 0 ? 0 : Math.max(1, Math.round(size * zoom * ratio)) / ratio;
        });
        let offset = 0;
        for (const [index, size] of sizes.entries()) {
          expect(axis.offsetOf(index)).toBeCloseTo(offset, 6);
          expect(axis.sizeOf(index)).toBe(size);
          if (size > 0) {
            expect(axis.indexAt(offset + size / 2)).toBe(index);
            if (offset > 0) expect(axis.indexAt(axis.offsetOf(index))).toBe(index);
          }
          const next = sizes.findIndex((other, at) => at > index && other > 0);
          expect(axis.next(index)).toBe(next < 0 ? null : next);
          const previous = sizes.findLastIndex((other, at) => at < index && other > 0);
          expect(axis.previous(index)).toBe(previous < 0 ? null : previous);
          offset += size;
        }
        expect(axis.length).toBeCloseTo(offset, 6);
      }),
    );
  });

  it('[XS1] puts every edge on a pixel of the screen', () => {
    const runs = [{ from: 3, to: 4, size: 17.3 }];
    const axis = new Axis({ count, defaultSize: 20.4, runs, zoom: 1.1, pixelRatio: 1.5 });
    for (let index = 0; index <= count; index++) {
      const pixels = axis.offsetOf(index) * 1.5;
      expect(pixels).toBeCloseTo(Math.round(pixels), 6);
    }
  });

  it('[XS131] tells beside which rows or columns others are hidden', () => {
    const runs = [
      [0, 1],
      [4, 6],
      [28, 30],
    ].map(([from, to]) => ({ from: from!, to: to!, size: 0 }));
    const axis = new Axis({ count, defaultSize: 20, runs });
    const marked = Array.from({ length: count }, (_, index) => index)
      .filter((index) => !axis.isHidden(index))
      .flatMap((index) => hiddenBeside(axis, index).map(({ isBefore }) => [index, isBefore]));
    expect(marked).toEqual([
      [1, true],
      [6, true],
      [27, false],
    ]);
  });
});
