import type { ChartAxis } from '../../../model/cell/chart.ts';
import { type FormatSettings, shownValue } from '../../../model/cell/formats/shown-value.ts';
import { lineOf, type ShownLine } from './shown-line.ts';

export interface ShownAxis {
  readonly title: string | null;
  readonly isHidden: boolean;
  readonly isReversed: boolean;
  readonly hasGrid: boolean;
  readonly hasLabels: boolean;
  readonly isLow: boolean;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly step: number | null;
  readonly logBase: number | null;
  /** Number format of what stands at it. */
  readonly pattern: string;
  readonly crosses: ChartAxis['crosses'] | null;
  readonly isBetween: boolean;
  /** The axis itself. */
  readonly line: ShownLine;
  readonly ticks: ChartAxis['ticks'] | null;
}

/**
 * An axis as it is to be drawn.
 * @param theme colours of the workbook
 * @param said what is not as the axis itself says
 */
export function shownAxis(
  axis: ChartAxis | undefined,
  theme: readonly string[] | undefined,
  said: Partial<ShownAxis>,
): ShownAxis {
  return {
    title: axis?.title ?? null,
    isHidden: axis?.hidden === true,
    isReversed: axis?.reversed === true,
    hasGrid: axis?.gridlines === true,
    hasLabels: axis?.labels !== 'none',
    isLow: axis?.labels === 'low',
    minimum: axis?.minimum ?? null,
    maximum: axis?.maximum ?? null,
    step: axis?.step ?? null,
    logBase: axis?.logBase ?? null,
    pattern: axis?.format ?? 'General',
    crosses: axis?.crosses ?? null,
    isBetween: axis?.between !== false,
    line: lineOf(axis?.stroke, theme),
    ticks: axis?.ticks ?? null,
    ...said,
  };
}

/** A number at an axis. */
export const axisText = (value: number, { pattern }: ShownAxis, settings: FormatSettings): string =>
  shownValue(Math.round(value * 1e12) / 1e12, pattern, settings).text;
