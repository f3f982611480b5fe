import { type ChartFrame, plainText, textPx } from './chart-frame.ts';
import type { DrawingContext } from './chart-look.ts';
import type { ShownChart } from './shown-chart.ts';

/** Where labels stand outside, so much of the room is theirs. */
const labelPx = 34;

/** Pies and rings, in the words of the library: one ring for each series, a pie for the first alone. */
export function circleSeries(
  chart: ShownChart,
  frame: ChartFrame,
  { width, height, look }: DrawingContext,
): object[] {
  const isRing = chart.type === 'doughnut';
  const shown = isRing ? chart.series : chart.series.slice(0, 1);
  const room = { across: width - frame.left - frame.right, down: height - frame.top - frame.bottom };
  const isInside = (place: string | null) =>
    isRing || place === 'center' || place === 'insideEnd' || place === 'insideBase';
  const hasOuter = shown.some(({ labels, labelPlace }) => labels !== null && !isInside(labelPlace ?? null));
  const outer = Math.max(10, Math.min(room.across, room.down) / 2 - (hasOuter ? labelPx : 4));
  const hole = (outer * chart.holePercent) / 100;
  const ring = (outer - hole) / Math.max(1, shown.length);
  return shown.map((series, at) => {
    const { labels } = series;
    return {
      type: 'pie',
      name: series.name,
      emphasis: { disabled: true },
      silent: true,
      center: [frame.left + room.across / 2, frame.top + room.down / 2],
      radius: isRing ? [hole + ring * at, hole + ring * (at + 1)] : [0, outer],
      startAngle: 90 - chart.firstAngle,
      stillShowZeroSum: false,
      label: {
        show: labels !== null,
        position: isInside(series.labelPlace ?? null) ? 'inside' : 'outside',
        ...(!isInside(series.labelPlace ?? null) && { color: look.text }),
        fontFamily: look.font,
        fontSize: textPx - 1,
        formatter: ({ dataIndex }: { dataIndex: number }) => labels?.[dataIndex] ?? '',
      },
      labelLine: { length: 8, length2: 6, lineStyle: { color: look.border } },
      itemStyle: { borderColor: look.background ?? '#ffffff', borderWidth: 1 },
      data: series.values.map((value, index) => ({
        name: plainText(chart.categories[index] ?? ''),
        value: Math.abs(value ?? 0),
        itemStyle: { color: look.told(series.pointColors[index] ?? series.color) },
      })),
    };
  });
}
