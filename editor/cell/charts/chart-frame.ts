import type { ShownChart } from './shown-chart.ts';

/** Sizes in pixels at a zoom of 1. */
export const textPx = 12;
export const titlePx = 17;
const lineFactor = 1.35;
const gapPx = 8;
const iconPx = 26;
/** Mean width of a letter as a part of the size of its font: charts are laid out before anybody measures. */
const letterPart = 0.5;

export const textWidth = (text: string, sizePx = textPx): number => text.length * sizePx * letterPart;

/** Where title, legend and plot stand in a chart. */
export interface ChartFrame {
  readonly titleLines: readonly string[];
  readonly legend: {
    readonly isVertical: boolean;
    readonly place: Readonly<Record<string, number | string>>;
  } | null;
  /** How much of each edge is left for these. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** @param names of what the legend has */
export function chartFrame(
  { title, legend }: ShownChart,
  names: readonly string[],
  width: number,
  height: number,
): ChartFrame {
  const titleLines = title === null ? [] : brokenTitle(title, width - 2 * gapPx);
  const titleHeight = titleLines.length === 0 ? 0 : titleLines.length * titlePx * lineFactor + gapPx;
  const frame = { titleLines, left: gapPx, right: gapPx, top: gapPx + titleHeight, bottom: gapPx };
  if (legend === null || names.length === 0) return { ...frame, legend: null };
  const widths = names.map((name) => textWidth(name) + iconPx);
  if (legend === 'top' || legend === 'bottom') {
    const rows = Math.ceil(
      widths.reduce((sum, one) => sum + one + gapPx, 0) / Math.max(1, width - 4 * gapPx),
    );
    const room = Math.min(height / 3, rows * textPx * 1.7 + gapPx);
    const place = {
      left: 'center',
      [legend]: legend === 'top' ? frame.top : gapPx,
      width: width - 4 * gapPx,
    };
    return { ...frame, [legend]: frame[legend] + room, legend: { isVertical: false, place } };
  }
  const room = Math.min(width * 0.4, Math.max(...widths) + gapPx);
  const side = legend === 'left' ? 'left' : 'right';
  const place = { [side]: gapPx, top: legend === 'topRight' ? frame.top : 'middle' };
  return { ...frame, [side]: gapPx + room, legend: { isVertical: true, place } };
}

/** A title in lines that are not wider than there is room for. */
function brokenTitle(title: string, width: number): string[] {
  const lines: string[] = [];
  for (const line of title.split('\n')) {
    let rest = '';
    for (const word of line.split(' ')) {
      const longer = rest === '' ? word : `${rest} ${word}`;
      if (rest !== '' && textWidth(longer, titlePx) > width) {
        lines.push(rest);
        rest = word;
      } else rest = longer;
    }
    lines.push(rest);
  }
  return lines.slice(0, 4);
}

/** A category in one line. */
export const plainText = (text: string): string => text.replaceAll('\n', ' ');
