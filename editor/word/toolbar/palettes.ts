import type { Swatch } from '../../kit/color-palette.tsx';
import { t } from '../../strings/strings.ts';

const textColors = [
  '000000',
  '434343',
  '666666',
  '999999',
  'CCCCCC',
  'EFEFEF',
  'FFFFFF',
  '1F3864',
  'C00000',
  'FF0000',
  'FFC000',
  'FFFF00',
  '92D050',
  '00B050',
  '00B0F0',
  '0070C0',
  '002060',
  '7030A0',
  'A61C00',
  'B45F06',
  'BF9000',
  '38761D',
  '134F5C',
  '351C75',
];

/** Colours of ST_HighlightColor (17.18.40) as CSS has them. */
const highlights: readonly (readonly [value: string, css: string])[] = [
  ['yellow', '#ffff00'],
  ['green', '#00ff00'],
  ['cyan', '#00ffff'],
  ['magenta', '#ff00ff'],
  ['blue', '#0000ff'],
  ['red', '#ff0000'],
  ['darkBlue', '#000080'],
  ['darkCyan', '#008080'],
  ['darkGreen', '#008000'],
  ['darkMagenta', '#800080'],
  ['darkRed', '#800000'],
  ['darkYellow', '#808000'],
  ['darkGray', '#808080'],
  ['lightGray', '#c0c0c0'],
  ['black', '#000000'],
  ['white', '#ffffff'],
];

/** Colours are named by their numbers: names of shades would be a guess in every language. */
const named = (value: string, css: string): Swatch => ({
  value,
  css,
  name: t('toolbar.color', { value: css }),
});

export const textSwatches = (): Swatch[] => textColors.map((value) => named(value, `#${value}`));

export const highlightSwatches = (): Swatch[] => highlights.map(([value, css]) => named(value, css));

/** The colour of a highlight as CSS has it; null for one that is none of them. */
export const highlightCss = (value: string | null): string | null =>
  highlights.find(([name]) => name === value)?.[1] ?? null;
