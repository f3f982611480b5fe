import type { FormatPatch } from '../../../../model/cell/cell-format.ts';

/** A colour that a rule gives, as CSS; null for none and for those of the theme. */
export function colorOf(color: unknown): string | null {
  const { rgb } = (color ?? {}) as { rgb?: string };
  return typeof rgb === 'string' ? `#${rgb.slice(-6).toLowerCase()}` : null;
}

/** The colours that a rule gives to cells and their texts. */
export const lookOf = (format: FormatPatch | undefined) => ({
  fill: colorOf((format?.fill as { color?: unknown } | null | undefined)?.color),
  font: colorOf(format?.font?.color),
});

/** How cells look by a rule, as CSS. */
export function sampleStyle(format: FormatPatch | undefined): Record<string, string> {
  const { fill, font } = lookOf(format);
  return {
    ...(fill && { background: fill }),
    ...(font ? { color: font } : fill ? { color: '#000000' } : {}),
    ...(format?.font?.bold && { 'font-weight': '700' }),
    ...(format?.font?.italic && { 'font-style': 'italic' }),
  };
}
