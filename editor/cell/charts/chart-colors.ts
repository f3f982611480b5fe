import type { Color } from '../../../model/cell/cell-format.ts';
import type { Chart, ChartSeries } from '../../../model/cell/chart.ts';
import { mixed } from '../grid/colors.ts';
import { cssColor } from '../shown/sheet-colors.ts';

/** How colours that come again are made lighter and darker, as Office does it with more than six series. */
const rounds = [0, -0.4, 0.2, -0.2, 0.4, -0.5];
const accents = 6;
const firstAccent = 4;

/** Where the colours of a chart come from. */
export interface ChartColors {
  readonly theme: readonly string[] | undefined;
  /** Of the 48 looks of Office 2007: eight by eight, the same colours. */
  readonly style: number | undefined;
}

/** The colour that the program gives to the series, or the slice, at a place. */
function automaticColor(at: number, count: number, { theme, style = 2 }: ChartColors): string {
  const look = (style - 1) % 8;
  const css = (color: Color) => cssColor(color, theme) ?? '#808080';
  if (look === 1) {
    const tint = rounds[Math.floor(at / accents) % rounds.length]!;
    return css({ theme: firstAccent + (at % accents), tint });
  }
  // One colour, from darker to lighter.
  const part = count > 1 ? at / (count - 1) : 0.4;
  const base = look === 0 ? '#595959' : css({ theme: firstAccent + look - 2 });
  return part < 0.5 ? mixed(base, '#000000', 0.4 - part * 0.8) : mixed(base, '#ffffff', (part - 0.5) * 1.2);
}

export function seriesColor(series: ChartSeries, at: number, count: number, colors: ChartColors): string {
  return cssColor(series.color, colors.theme) ?? automaticColor(series.index ?? at, count, colors);
}

/** The colours of the points of a series that are not as the series itself; undefined for those that are. */
export function pointColors(
  { points = [] }: ChartSeries,
  count: number,
  isVaried: boolean,
  colors: ChartColors,
): (string | undefined)[] {
  const result = Array.from({ length: count }, (_, at) =>
    isVaried ? automaticColor(at, count, colors) : undefined,
  );
  for (const { at, color, filled } of points) {
    if (at >= count) continue;
    result[at] = filled === false ? 'transparent' : (cssColor(color, colors.theme) ?? result[at]);
  }
  return result;
}

export const chartColors = (chart: Chart, theme: readonly string[] | undefined): ChartColors => ({
  theme,
  style: chart.style,
});
