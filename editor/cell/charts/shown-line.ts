import type { Stroke } from '../../../model/cell/chart.ts';
import { cssColor } from '../shown/sheet-colors.ts';

export interface ShownLine {
  /** CSS; null: as the program draws it. */
  readonly color: string | null;
  /** Points. */
  readonly width: number | null;
  readonly dash: string | null;
  readonly isNone: boolean;
}

/** A line as it is to be drawn, with its colour by the theme of the workbook. */
export function lineOf(stroke: Stroke | undefined, theme: readonly string[] | undefined): ShownLine {
  return {
    color: cssColor(stroke?.color, theme),
    width: stroke?.width ?? null,
    dash: stroke?.dash ?? null,
    isNone: stroke?.none === true,
  };
}
