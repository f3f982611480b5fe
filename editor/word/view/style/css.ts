import { emuPerPx } from '../../../kit/emu.ts';

/** CSS declarations by property name. */
export type Declarations = Record<string, string>;

/** Declarations as the text of a `style` attribute. */
export function cssText(declarations: Declarations): string {
  return Object.entries(declarations)
    .map(([property, value]) => `${property}: ${value};`)
    .join(' ');
}

/** One rule, or nothing when it would say nothing. */
export function cssRule(selector: string, declarations: Declarations): string {
  const text = cssText(declarations);
  return text === '' ? '' : `${selector} { ${text} }\n`;
}

/** A class for an id of the file, which may hold any character: those beyond letters, digits and `-` are coded. */
export function className(prefix: 's' | 'c' | 't' | 'l' | 'i', id: string): string {
  const safe = id.replace(/[^A-Za-z0-9-]/gu, (char) => `_${char.codePointAt(0)!.toString(16)}_`);
  return `${prefix}-${safe}`;
}

/** 20 twips to the point. */
export function twipsToPt(twips: number): string {
  return `${round(twips / 20)}pt`;
}

/** Half points as a CSS length. */
export function halfPointsToPt(halfPoints: number): string {
  return `${round(halfPoints / 2)}pt`;
}

/** 914,400 EMU to the inch, 96 CSS pixels to the inch. */

/** EMU in CSS pixels. */
export function emuToPx(emu: number): number {
  return round(emu / emuPerPx);
}

/** CSS pixels in EMU. */
export function pxToEmu(pixels: number): number {
  return Math.max(0, Math.round(pixels * emuPerPx));
}

/** 1,440 twips to the inch. */
export function twipsToPx(twips: number): number {
  return round(twips / 15);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
