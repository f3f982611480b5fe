import { type ChartSeries, middleStop } from '../../../model/cell/chart.ts';
import { cssColor } from '../shown/sheet-colors.ts';

/** A fill that goes from colour to colour. */
export interface ShownGradient {
  /** Degrees clockwise from the right. */
  readonly angle: number;
  /** In the order of their places, 0 to 1; colours are CSS. */
  readonly stops: readonly (readonly [at: number, color: string])[];
}

/** The gradient of a series; null for one that has none, or another colour than that of its middle. */
export function gradientOf(
  { color, gradient }: ChartSeries,
  theme: readonly string[] | undefined,
): ShownGradient | null {
  if (!gradient || JSON.stringify(middleStop(gradient.stops)?.color) !== JSON.stringify(color)) return null;
  const stops = gradient.stops.map((stop) => [stop.at, cssColor(stop.color, theme) ?? '#808080'] as const);
  return { angle: gradient.angle ?? 0, stops: stops.toSorted(([one], [other]) => one - other) };
}
