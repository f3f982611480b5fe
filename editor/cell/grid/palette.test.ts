import { expect, it } from 'vitest';
import { type Palette, textColor } from './palette.ts';

const light = { page: '#ffffff', text: '#000000' } as Palette;
const dark = { page: '#202020', text: '#eeeeee' } as Palette;

it('[XS227] on a white page a text without a colour is black on every fill, and can be read on a dark page', () => {
  expect(['#38761d', '#ffff00', null].map((fill) => textColor(light, null, fill))).toEqual([
    ...['#000000', '#000000', '#000000'],
  ]);
  expect(textColor(light, '#333333', '#38761d')).toBe('#333333');
  expect(['#38761d', '#ffff00', null].map((fill) => textColor(dark, null, fill))).toEqual([
    ...['#eeeeee', '#000000', '#eeeeee'],
  ]);
});
