import type { Declarations } from './css.ts';

/** Colours of ST_HighlightColor (17.18.40). */
export const highlightColors: Readonly<Record<string, string>> = {
  black: '000000',
  blue: '0000FF',
  cyan: '00FFFF',
  green: '00FF00',
  magenta: 'FF00FF',
  red: 'FF0000',
  yellow: 'FFFF00',
  white: 'FFFFFF',
  darkBlue: '000080',
  darkCyan: '008080',
  darkGreen: '008000',
  darkMagenta: '800080',
  darkRed: '800000',
  darkYellow: '808000',
  darkGray: '808080',
  lightGray: 'C0C0C0',
};

type Channels = readonly [number, number, number];

function channelsOf(hex: string): Channels {
  const value = Number.parseInt(hex, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** RRGGBB of red, green and blue, each 0 to 255. */
export function hexOf(channels: Channels): string {
  return channels
    .map((channel) => Math.round(channel).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

/** Relative luminance (WCAG 2), 0 to 1. */
export function luminance(hex: string): number {
  const [red, green, blue] = channelsOf(hex).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Of black and white the one that is better read on a background. */
export function inkOn(background: string): '000000' | 'FFFFFF' {
  const value = luminance(background);
  return contrast(value, 0) >= contrast(value, 1) ? '000000' : 'FFFFFF';
}

/** Luminance of the darkest page that themes have as a grey, with a little to spare. */
const darkPage = 0.03;
const readable = 4.5;

/** The colour for text on a dark page: itself, or the least mixture with white that can be read there. */
export function onDarkPage(hex: string): string {
  let mixed = hex;
  for (let share = 0; share <= 1; share += 0.05) {
    mixed = hexOf(channelsOf(hex).map((channel) => channel + (255 - channel) * share) as unknown as Channels);
    if (contrast(luminance(mixed), darkPage) >= readable) return mixed;
  }
  return mixed;
}

/** A text colour as CSS that fits the page of each theme. */
export function textColor(hex: string): string {
  const light = hex.toUpperCase();
  return `light-dark(#${light}, #${onDarkPage(light)})`;
}

/** The highlight nearest to a colour, or null for white and what is nearly so. */
export function nearestHighlight(hex: string): string | null {
  if (luminance(hex) > 0.95) return null;
  const wanted = channelsOf(hex);
  let best = 'yellow';
  let least = Number.POSITIVE_INFINITY;
  for (const [name, value] of Object.entries(highlightColors)) {
    if (name === 'white') continue;
    const distance = channelsOf(value).reduce((sum, channel, at) => sum + (channel - wanted[at]!) ** 2, 0);
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/**
 * A background of the document with what makes text readable on it in every theme: automatic colours turn black or
 * white, and explicit ones are those of a light or a dark page.
 * @param hex RRGGBB, `auto` or null
 */
export function background(hex: unknown): Declarations {
  if (typeof hex !== 'string' || !/^[0-9A-Fa-f]{6}$/.test(hex)) return {};
  const ink = inkOn(hex);
  return {
    'background-color': `#${hex}`,
    'color-scheme': ink === '000000' ? 'light' : 'dark',
    '--auto-ink': `#${ink}`,
  };
}
