import type { Color } from '../../../model/cell/cell-format.ts';
import type { SwatchGroup } from '../../kit/color-palette.tsx';
import { t } from '../../strings/strings.ts';
import { cssColor } from '../shown/sheet-colors.ts';

const standard =
  '000000 434343 666666 999999 CCCCCC EFEFEF FFFFFF 1F3864 C00000 FF0000 FFC000 FFFF00 92D050 00B050 00B0F0 0070C0 002060 7030A0 F4CCCC FCE5CD FFF2CC D9EAD3 CFE2F3 D9D2E9'.split(
    ' ',
  );

/** Two backgrounds with their texts, and six accents. */
const themeColors = 10;

/** How much lighter, or below 0 darker, other programs offer a colour, by how light it is itself. */
function shadesOf(css: string): readonly number[] {
  const parts = [1, 3, 5].map((at) => Number.parseInt(css.slice(at, at + 2), 16) / 255);
  const light = (Math.max(...parts) + Math.min(...parts)) / 2;
  if (light === 0) return [0.5, 0.35, 0.25, 0.15, 0.05];
  if (light < 0.2) return [0.9, 0.75, 0.5, 0.25, 0.1];
  if (light === 1) return [-0.05, -0.15, -0.25, -0.35, -0.5];
  if (light > 0.8) return [-0.1, -0.25, -0.5, -0.75, -0.9];
  return [0.8, 0.6, 0.4, -0.25, -0.5];
}

/** A tint as Excel writes it, which counts it in so many steps: it finds it again in its own palette. */
const steps = 32_767;
const writtenTint = (part: number): number => Math.trunc(part * steps) / steps;

const themeChoice = (theme: number, tint = 0): string => `theme:${theme}:${tint.toFixed(2)}`;

/** A colour as the value of a swatch; null for the automatic one. */
export function choiceOf(color: Color | undefined, theme: readonly string[] | undefined): string | null {
  if (color?.theme !== undefined) return themeChoice(color.theme, color.tint);
  return cssColor(color, theme)?.slice(1).toUpperCase() ?? null;
}

/** The colour that the value of a swatch, or `RRGGBB`, stands for. */
export function chosenColor(choice: string): Color {
  const [kind, theme, part] = choice.split(':');
  if (kind !== 'theme') return { rgb: choice };
  const tint = writtenTint(Number(part));
  return { theme: Number(theme), ...(tint !== 0 && { tint }) };
}

function themeName(at: number): string {
  if (at >= 4) return t('sheet.themeAccent', { at: at - 3 });
  return t(at % 2 === 0 ? 'sheet.themeBackground' : 'sheet.themeText', { at: at < 2 ? 1 : 2 });
}

/** The colours of the theme with lighter and darker ones beneath, where the workbook has a theme, and those that every workbook has. */
export function colorChoices(theme: readonly string[] | undefined): SwatchGroup[] {
  const swatch = (at: number, tint: number) => {
    const name = themeName(at);
    const percent = Math.round(Math.abs(tint) * 100);
    return {
      value: themeChoice(at, tint),
      css: cssColor({ theme: at, tint }, theme)!,
      name: tint === 0 ? name : t(tint > 0 ? 'sheet.colorLighter' : 'sheet.colorDarker', { name, percent }),
    };
  };
  const columns = Array.from({ length: themeColors }, (_, at) => [
    0,
    ...shadesOf(cssColor({ theme: at }, theme)!),
  ]);
  const rows = columns[0]!.map((_, row) => columns.map((tints, at) => swatch(at, tints[row]!)));
  return [
    ...(theme ? [{ label: t('sheet.themeColors'), columns: themeColors, swatches: rows.flat() }] : []),
    {
      ...(theme && { label: t('sheet.standardColors') }),
      columns: themeColors,
      // Colours are named by their numbers: names of shades would be a guess in every language.
      swatches: standard.map((value) => ({
        ...{ value, css: `#${value}`, name: t('toolbar.color', { value: `#${value}` }) },
      })),
    },
  ];
}
