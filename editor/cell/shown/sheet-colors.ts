import type { Color } from '../../../model/cell/cell-format.ts';

/** Colours of a theme that says none: those of Office. */
const officeTheme: readonly string[] = [
  'FFFFFF',
  '000000',
  'E7E6E6',
  '44546A',
  '4472C4',
  'ED7D31',
  'A5A5A5',
  'FFC000',
  '5B9BD5',
  '70AD47',
  '0563C1',
  '954F72',
];

/** The first eight of the palette of old, which it has twice, and the rest of it (18.8.27). */
const firstEight = ['000000', 'FFFFFF', 'FF0000', '00FF00', '0000FF', 'FFFF00', 'FF00FF', '00FFFF'];
const palette: readonly string[] = [
  ...firstEight,
  ...firstEight,
  ...'800000 008000 000080 808000 800080 008080 C0C0C0 808080 9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF'.split(
    ' ',
  ),
  ...'000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF 00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99'.split(
    ' ',
  ),
  ...'3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696 003366 339966 003300 333300 993300 993366 333399 333333'.split(
    ' ',
  ),
];

/** A colour of the file as CSS has it; null for the one that text or a page has by itself. */
export function cssColor(color: Color | undefined, theme: readonly string[] = officeTheme): string | null {
  if (!color || color.auto) return null;
  const base =
    color.rgb ??
    (color.theme !== undefined ? (theme[color.theme] ?? officeTheme[color.theme]) : undefined) ??
    (color.indexed !== undefined ? palette[color.indexed] : undefined);
  if (base === undefined || !/^[0-9a-f]{6}$/i.test(base)) return null;
  return tinted(base, color.tint ?? 0);
}

/** Lighter or darker by a part of what there is to the end (18.8.19, tint). */
function tinted(rgb: string, tint: number): string {
  if (tint === 0) return `#${rgb.toLowerCase()}`;
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(rgb.slice(at, at + 2), 16) / 255);
  const highest = Math.max(red!, green!, blue!);
  const lowest = Math.min(red!, green!, blue!);
  const light = (highest + lowest) / 2;
  const range = highest - lowest;
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * light - 1));
  const next = tint < 0 ? light * (1 + tint) : light + (1 - light) * tint;
  const chroma = (1 - Math.abs(2 * next - 1)) * saturation;
  const parts = [red!, green!, blue!].map((part) => {
    const place = range === 0 ? 0.5 : (part - lowest) / range;
    const value = next - chroma / 2 + place * chroma;
    return Math.round(Math.min(1, Math.max(0, range === 0 ? next : value)) * 255);
  });
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
