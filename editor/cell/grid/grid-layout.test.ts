import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastColumn, lastRow } from '../../../model/cell/area.ts';
import { plainSheet } from '../testing/plain-sheet.ts';
import { rangeOf } from './cell-areas.ts';
import { GridLayout } from './grid-layout.ts';

const layoutOf = (options: Parameters<typeof plainSheet>[0], scroll = { x: 0, y: 0 }) =>
  new GridLayout({ sheet: plainSheet(options), width: 800, height: 600, scroll, pixelRatio: 1 });

describe('where cells stand in the grid', () => {
  it('[XS3] every cell that is seen is found again where it stands, frozen or scrolled, in either direction', () => {
    const hidden = [{ from: 4, to: 6, size: 0 }];
    fc.assert(
      fc.property(
        fc.record({
          frozenRows: fc.nat({ max: 3 }),
          frozenColumns: fc.nat({ max: 3 }),
          isRightToLeft: fc.boolean(),
          rowRuns: fc.constantFrom([], hidden),
          columnRuns: fc.constantFrom([], hidden),
        }),
        fc.record({ x: fc.nat({ max: 5_000 }), y: fc.nat({ max: 5_000 }) }),
        (options, scroll) => {
          const layout = layoutOf(options, scroll);
          for (const pane of layout.panes) {
            const [top, left, bottom, right] = pane.range;
            for (const row of [top, bottom]) {
              for (const column of [left, right]) {
                const { rows, columns } = layout.sheet;
                if (rows.isHidden(row) || columns.isHidden(column)) continue;
                const cell = { row, column };
                const rect = layout.rectIn(pane, rangeOf(cell));
                const inside = (from: number, length: number, start: number, end: number) =>
                  (Math.max(from, start) + Math.min(from + length, end)) / 2;
                const x = inside(rect.x, rect.width, pane.rect.x, pane.rect.x + pane.rect.width);
                const y = inside(rect.y, rect.height, pane.rect.y, pane.rect.y + pane.rect.height);
                expect(layout.hit(x, y)).toEqual({ kind: 'cell', cell });
              }
            }
          }
        },
      ),
    );
  });

  it('[XS3] stops at the last row and column', () => {
    const { sheet } = layoutOf({});
    const scroll = { x: sheet.columns.length - 100, y: sheet.rows.length - 100 };
    const [pane] = layoutOf({}, scroll).panes;
    expect(pane!.range.slice(2)).toEqual([lastRow, lastColumn]);
    expect(pane!.rect).toMatchObject({ width: 100, height: 100 });
  });

  it('[XS3] finds the edge of a header, and behind hidden rows the last of them', () => {
    const layout = layoutOf({ rowRuns: [{ from: 2, to: 5, size: 0 }] });
    const { headerWidth, headerHeight } = layout;
    expect(layout.hit(headerWidth + 64 - 2, 5)).toEqual({ kind: 'columnEdge', column: 0 });
    expect(layout.hit(headerWidth + 64 + 2, 5)).toEqual({ kind: 'columnEdge', column: 0 });
    expect(layout.hit(headerWidth + 32, 5)).toEqual({ kind: 'columnHeader', column: 0 });
    expect(layout.hit(5, headerHeight + 20 + 10)).toEqual({ kind: 'rowHeader', row: 1 });
    expect(layout.hit(5, headerHeight + 40 - 1)).toEqual({ kind: 'rowEdge', row: 1 });
    expect(layout.hit(5, headerHeight + 40 + 1)).toEqual({ kind: 'rowEdge', row: 4 });
    expect(layout.hit(5, 5)).toEqual({ kind: 'corner' });
  });

  it('[XS3] has a sheet from right to left begin at the right', () => {
    const layout = layoutOf({ isRightToLeft: true });
    expect(layout.hit(799, layout.headerHeight + 50)).toMatchObject({ kind: 'rowHeader' });
    const { rect } = layout.rectsOf(rangeOf({ row: 0, column: 0 }))[0]!;
    expect(rect.x).toBe(800 - layout.headerWidth - 64);
  });

  it('[XS191] a sheet without headings begins with its cells, beside one that has them', () => {
    const bare = layoutOf({ hidesHeadings: true });
    expect([bare.headerWidth, bare.headerHeight]).toEqual([0, 0]);
    expect(bare.hit(1, 1)).toEqual({ kind: 'cell', cell: { row: 0, column: 0 } });
    expect(layoutOf({}).hit(1, 1)).toEqual({ kind: 'corner' });
  });
});
