import type { Color, FormatPatch } from '../../../../model/cell/cell-format.ts';
import { cssColor } from '../../shown/sheet-colors.ts';

/** The colours of the workbook's theme; undefined where it says none. */
export type Theme = readonly string[] | undefined;

/** A colour that a rule gives, as CSS; null for none. */
export const colorOf = (color: unknown, theme: Theme): string | null =>
  cssColor((color ?? undefined) as Color | undefined, theme);

/** The colours that a rule gives to cells and their texts. */
export const lookOf = (format: FormatPatch | undefined, theme: Theme) => ({
  fill: colorOf((format?.fill as { color?: unknown } | null | undefined)?.color, theme),
  font: colorOf(format?.font?.color, theme),
});

/** How cells look by a rule, as CSS. */
export function sampleStyle(format: FormatPatch | undefined, theme: Theme): Record<string, string> {
  const { fill, font } = lookOf(format, theme);
  return {
    ...(fill && { background: fill }),
    ...(font ? { color: font } : fill ? { color: '#000000' } : {}),
    ...(format?.font?.bold && { 'font-weight': '700' }),
    ...(format?.font?.italic && { 'font-style': 'italic' }),
  };
}
