import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GridLayout } from '../grid/grid-layout.ts';
import { plainSheet } from '../testing/plain-sheet.ts';
import { handleAt, handlePlace, handles, paneAt, resizedPlace, sheetPlace } from './drawing-handles.ts';

const before = { x: 200, y: 100, width: 120, height: 60 };
const by = fc.record({ x: fc.integer({ min: -400, max: 400 }), y: fc.integer({ min: -400, max: 400 }) });
const handle = fc.constantFrom(...handles);

describe('handles of drawings', () => {
  it('[XD2] each is found where it is, and none in the middle', () => {
    expect(handles).toHaveLength(8);
    for (const one of handles) expect(handleAt(handlePlace(one, before), before, 7)).toBe(one);
    expect(handleAt({ x: 260, y: 130 }, before, 7)).toBeNull();
  });

  it('[XD2] sides that are not dragged stay, nothing is smaller than the least, and nothing leaves the sheet', () => {
    fc.assert(
      fc.property(by, handle, fc.boolean(), fc.boolean(), (moved, held, isRightToLeft, keepsProportion) => {
        const after = resizedPlace(before, moved, {
          ...{ handle: held, isRightToLeft, keepsProportion },
          leastPx: 8,
        });
        const across = isRightToLeft ? -held.across : held.across;
        if (across < 0) expect(after.x + after.width).toBeCloseTo(before.x + before.width, 6);
        else expect(after.x).toBe(before.x);
        if (held.down < 0) expect(after.y + after.height).toBeCloseTo(before.y + before.height, 6);
        else expect(after.y).toBe(before.y);
        expect(Math.min(after.x, after.y)).toBeGreaterThanOrEqual(0);
        expect(Math.min(after.width, after.height)).toBeGreaterThanOrEqual(keepsProportion ? 4 : 8);
        if (keepsProportion) expect(after.width / after.height).toBeCloseTo(2, 6);
      }),
    );
  });

  it('[XD2] a place of the grid is one of the sheet, in each pane and direction', () => {
    for (const isRightToLeft of [false, true]) {
      const sheet = plainSheet({ isRightToLeft, frozenRows: 3, frozenColumns: 1 });
      const layout = new GridLayout({
        ...{ sheet, width: 800, height: 600, pixelRatio: 1 },
        scroll: { x: 128, y: 40 },
      });
      for (const pane of layout.panes) {
        const corner = { x: pane.rect.x + 5, y: pane.rect.y + 5 };
        expect(paneAt(layout, corner)).toBe(pane);
        const { x, y } = sheetPlace(layout, pane, corner);
        expect(layout.rectAt(pane, { x, y, width: 0, height: 0 })).toMatchObject(corner);
      }
    }
  });
});
