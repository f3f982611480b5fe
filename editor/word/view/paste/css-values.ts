import { hexOf } from '../style/colors.ts';

/** Points in each unit. */
const pointsPer: Readonly<Record<string, number>> = {
  pt: 1,
  px: 0.75,
  pc: 12,
  in: 72,
  cm: 28.3465,
  mm: 2.83465,
};

/** Points in a CSS length; null for lengths that depend on something else. */
export function cssPoints(value: string): number | null {
  const [, number, unit] = /^\s*(-?[\d.]+)(pt|px|pc|in|cm|mm)\s*$/i.exec(value) ?? [];
  const points = Number(number) * (pointsPer[unit?.toLowerCase() ?? ''] ?? Number.NaN);
  return Number.isFinite(points) ? points : null;
}

/** Size of text that sizes in `em` are taken of: what most documents begin with. */
const basePoints = 11;

/** Half points of a `font-size`, or null for one that is not a length, or that no document can have. */
export function halfPoints(value: string): number | null {
  const em = /^\s*([\d.]+)(?:em|rem)\s*$/i.exec(value)?.[1];
  const points = em === undefined ? cssPoints(value) : Number(em) * basePoints;
  const half = points === null ? 0 : Math.round(points * 2);
  return half >= 1 && half <= 3_276 ? half : null;
}

const largestTwips = 31_680;

/** Twips in a CSS length; null where no document can have it. */
export function twips(value: string): number | null {
  const points = cssPoints(value);
  const amount = points === null ? Number.NaN : Math.round(points * 20);
  return Math.abs(amount) <= largestTwips ? amount : null;
}

const named: Readonly<Record<string, string>> = {
  black: '000000',
  white: 'FFFFFF',
  red: 'FF0000',
  green: '008000',
  blue: '0000FF',
  yellow: 'FFFF00',
  orange: 'FFA500',
  purple: '800080',
  gray: '808080',
  grey: '808080',
  silver: 'C0C0C0',
  maroon: '800000',
  navy: '000080',
  teal: '008080',
  olive: '808000',
  lime: '00FF00',
  aqua: '00FFFF',
  cyan: '00FFFF',
  fuchsia: 'FF00FF',
  magenta: 'FF00FF',
};

/** RRGGBB of a CSS colour; null for transparent ones and those that only a browser could tell. */
export function hexColor(value: string): string | null {
  const text = value.trim().toLowerCase();
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(text)?.[1];
  if (hex) return (hex.length === 3 ? hex.replace(/./g, '$&$&') : hex).toUpperCase();
  const channels = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)(?:[\s,/]+([\d.]+)%?)?\s*\)$/.exec(text);
  if (!channels) return Object.hasOwn(named, text) ? named[text]! : null;
  if (channels[4] !== undefined && Number(channels[4]) === 0) return null;
  const [red, green, blue] = channels.slice(1, 4).map((channel) => Math.min(255, Number(channel)));
  return hexOf([red!, green!, blue!]);
}

const genericFonts =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[\w-]+|inherit|initial|-apple-system|blinkmacsystemfont|var\(.*)$/i;

/** The first font of a `font-family` that is one; null for none. */
export function fontName(value: string): string | null {
  const names = value.split(',').map((name) => name.trim().replace(/^["']|["']$/g, ''));
  const name = names.find((one) => one !== '' && !genericFonts.test(one));
  return name !== undefined && name.length <= 255 ? name : null;
}
