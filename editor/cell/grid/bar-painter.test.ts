import fc from 'fast-check';
import { expect, it } from 'vitest';
import { barColor } from './bar-painter.ts';
import { contrastOf } from './colors.ts';
import type { BarGround } from './drawn-sheet.ts';
import { besideIcon } from './icon-painter.ts';

it('[XS188] text can be read on a bar of a usual colour, on a dark page too', () => {
  const grounds: (BarGround & { readonly text: string })[] = [
    { page: '#ffffff', text: '#1b1b1f' },
    { page: '#1e1f22', text: '#e6e6e9' },
    // A cell with a fill on a dark page.
    { page: '#fff2cc', text: '#000000' },
  ];
  const colors = ['#638ec6', '#63c384', '#ff555a', '#ffb628', '#008aef', '#d6007b', '#ff0000'];
  for (const ground of grounds) {
    for (const color of colors)
      expect([color, contrastOf(barColor(ground, color), ground.text) >= 4.5]).toEqual([color, true]);
  }
});

it('[XS277] a bar without a text has the colour that its rule says', () => {
  expect(barColor({ page: '#ffffff', text: null }, '#7ed138')).toBe('#7ed138');
  expect(barColor({ page: '#ffffff', text: '#000000' }, '#7ed138')).not.toBe('#7ed138');
});

it('[XS197] text stands beside the icon of its cell, not on it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 30, max: 200 }), fc.boolean(), (width, isRightToLeft) => {
      const beside = besideIcon({ x: 10, y: 0, width, height: 20 }, 1, isRightToLeft);
      expect(beside.width).toBe(width - 15);
      expect(beside.x).toBe(isRightToLeft ? 10 : 25);
    }),
  );
});
