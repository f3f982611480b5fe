import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inkOn, luminance, nearestHighlight, onDarkPage, textColor } from './colors.ts';

const hex = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => value.toString(16).padStart(6, '0').toUpperCase());
const contrast = (one: string, other: string) => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};

describe('colours of documents', () => {
  it('[VW7] every text colour can be read on the page of the dark theme', () => {
    fc.assert(fc.property(hex, (color) => contrast(onDarkPage(color), '262A31') >= 4.5));
  });

  it('[VW7] a colour that can be read there stays as it is, and on paper every colour does', () => {
    expect(onDarkPage('FFFF00')).toBe('FFFF00');
    expect(onDarkPage('000000')).not.toBe('000000');
    expect(textColor('ff0000')).toMatch(/^light-dark\(#FF0000, /);
  });

  it('[VW7] automatic text on a background is black or white, whichever is read better', () => {
    fc.assert(fc.property(hex, (color) => contrast(inkOn(color), color) >= 4.5));
  });

  it('[VW22] a background of the web becomes the nearest highlight; white is none', () => {
    expect(nearestHighlight('FFFF10')).toBe('yellow');
    expect(nearestHighlight('FFFFFF')).toBeNull();
    expect(nearestHighlight('FFF2CC')).not.toBe('white');
  });
});
