/** Red, green and blue, 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

/** Reads `#rrggbb` and `#rgb`; null for other ways to write a colour. */
export function readColor(css: string): Rgb | null {
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(css);
  if (long) return [long[1], long[2], long[3]].map((part) => Number.parseInt(part!, 16)) as unknown as Rgb;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(css);
  if (!short) return null;
  return [short[1], short[2], short[3]].map((part) => Number.parseInt(part! + part!, 16)) as unknown as Rgb;
}

/** How light a colour is, 0 to 1, as WCAG measures it. */
function luminance(css: string): number {
  const rgb = readColor(css) ?? [255, 255, 255];
  const [red, green, blue] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** How well one colour can be told from another, 1 to 21, as WCAG measures it. */
export function contrastOf(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

/** Black or white, whichever can be read better on a colour. */
export const readableOn = (background: string): string =>
  contrastOf('#000000', background) >= contrastOf('#ffffff', background) ? '#000000' : '#ffffff';

/** A colour between two; `part` is how much there is of the second. */
export function mixed(one: string, other: string, part: number): string {
  const from = readColor(one) ?? [0, 0, 0];
  const to = readColor(other) ?? [0, 0, 0];
  const parts = from.map((value, at) => Math.round(value + (to[at]! - value) * part));
  return `#${parts.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
