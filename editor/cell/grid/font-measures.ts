import { cachedMeasure } from './text-layout.ts';
import type { FontHeights, FontMeasures } from './text-painter.ts';

/** Measures text with a canvas of its own. */
export function canvasMeasures(): FontMeasures {
  const context = document.createElement('canvas').getContext('2d')!;
  const heights = new Map<string, FontHeights>();
  let font = '';
  const useFont = (next: string) => {
    if (next === font) return;
    font = next;
    context.font = next;
  };
  return {
    measure: cachedMeasure((text, textFont) => {
      useFont(textFont);
      return context.measureText(text).width;
    }),
    heights(textFont) {
      let known = heights.get(textFont);
      if (!known) {
        useFont(textFont);
        const { fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText('Hg');
        known = { ascent: fontBoundingBoxAscent, descent: fontBoundingBoxDescent };
        heights.set(textFont, known);
      }
      return known;
    },
  };
}

/** Width of the widest digit of a font in whole pixels: what columns are counted in. */
export function digitWidth({ measure }: FontMeasures, font: string): number {
  return Math.max(1, Math.round(Math.max(...[...'0123456789'].map((digit) => measure(digit, font))) - 0.25));
}
