import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Anchor } from '../../../model/cell/items.ts';
import { sheetColumns, sheetRows } from '../../../model/cell-address.ts';
import { Axis } from '../grid/axis.ts';
import { GridLayout } from '../grid/grid-layout.ts';
import { plainSheet } from '../testing/plain-sheet.ts';
import { anchorAtPlace, placeOfAnchor, uprightPlace } from './anchor-place.ts';

/** Rows of 20 pixels and columns of 64, of which rows 4 and 5 are hidden. */
const axes = (zoom = 1) => ({
  zoom,
  rows: new Axis({ count: sheetRows, defaultSize: 20, runs: [{ from: 4, to: 6, size: 0 }], zoom }),
  columns: new Axis({ count: sheetColumns, defaultSize: 64, runs: [], zoom }),
});
const emu = 9_525;

describe('where drawings stand', () => {
  it('[XG2] an anchor of two cells, of one, and of none has its place at any zoom', () => {
    const two: Anchor = { from: [1, 1, 10 * emu, 5 * emu], to: [7, 3, 0, 4 * emu], follows: 'both' };
    expect(placeOfAnchor(two, axes())).toEqual({ x: 74, y: 25, width: 118, height: 79 });
    expect(placeOfAnchor(two, axes(2))).toEqual({ x: 148, y: 50, width: 236, height: 158 });
    const one: Anchor = { from: [6, 2, 0, 0], size: [30 * emu, 40 * emu], follows: 'move' };
    expect(placeOfAnchor(one, axes())).toEqual({ x: 128, y: 80, width: 30, height: 40 });
    const none: Anchor = {
      from: [0, 0, 500 * emu, 300 * emu],
      size: [30 * emu, 40 * emu],
      follows: 'none',
    };
    expect(placeOfAnchor(none, axes())).toEqual({ x: 500, y: 300, width: 30, height: 40 });
  });

  it('[XG2] what lies in hidden rows has no height, and what reaches over the edge of a cell ends there', () => {
    const hidden: Anchor = { from: [4, 0, 0, 9 * emu], to: [5, 1, 0, 9 * emu], follows: 'both' };
    expect(placeOfAnchor(hidden, axes())).toMatchObject({ y: 80, height: 0 });
    const beyond: Anchor = { from: [0, 0, 900 * emu, 0], to: [1, 2, 0, 0], follows: 'both' };
    expect(placeOfAnchor(beyond, axes())).toMatchObject({ x: 64, width: 64 });
  });

  it('[XG2] a drawing that is put at a place stands there, whatever its anchor and the zoom are', () => {
    const anchors: Anchor[] = [
      { from: [0, 0, 0, 0], to: [1, 1, 0, 0], follows: 'both' },
      { from: [0, 0, 0, 0], size: [1, 1], follows: 'move' },
      { from: [0, 0, 0, 0], size: [1, 1], follows: 'none' },
    ];
    fc.assert(
      fc.property(
        fc.record({
          x: fc.nat(3_000),
          y: fc.nat(3_000),
          width: fc.nat(900),
          height: fc.nat(900),
        }),
        fc.constantFrom(...anchors),
        fc.constantFrom(0.5, 1, 1.25, 2),
        (place, anchor, zoom) => {
          const moved = anchorAtPlace(place, anchor, axes(zoom));
          expect(moved.follows).toBe(anchor.follows);
          const back = placeOfAnchor(moved, axes(zoom));
          for (const side of ['x', 'y', 'width', 'height'] as const)
            expect(back[side]).toBeCloseTo(place[side], 2);
        },
      ),
    );
  });

  it('[XG2] each pane has it where its cells are, scrolled or frozen, from left to right or from right to left', () => {
    const anchor: Anchor = { from: [2, 1, 0, 0], to: [5, 3, 0, 0], follows: 'both' };
    for (const isRightToLeft of [false, true]) {
      const sheet = plainSheet({ isRightToLeft, frozenRows: 3, frozenColumns: 1 });
      const layout = new GridLayout({
        sheet,
        width: 800,
        height: 600,
        scroll: { x: 128, y: 40 },
        pixelRatio: 1,
      });
      const place = placeOfAnchor(anchor, sheet);
      for (const pane of layout.panes)
        expect(layout.rectAt(pane, place)).toEqual(layout.rectIn(pane, [2, 1, 4, 2]));
    }
  });

  it('[XG2] what lies on its side is anchored by the box that it fills then', () => {
    const place = { x: 10, y: 20, width: 100, height: 40 };
    expect(uprightPlace(place, 30)).toBe(place);
    expect(uprightPlace(place, 180)).toBe(place);
    expect(uprightPlace(place, 90)).toEqual({ x: 40, y: -10, width: 40, height: 100 });
    expect(uprightPlace(place, -90)).toEqual(uprightPlace(place, 90));
  });
});
