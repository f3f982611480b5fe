import type { Chart, ChartAxis } from '../../../model/cell/chart.ts';
import type { ChartSource } from './referenced-cells.ts';
import { dataOfPart, textOfPart } from './series-data.ts';

/** The title of a chart: that of a cell, its own, or the name of its only series. */
export function titleOf(chart: Chart, shown: ChartSource, firstName: string | undefined): string | null {
  const ofCell =
    chart.titleFormula === undefined ? undefined : textOfFormula(chart.titleFormula, chart.title, shown);
  const title = ofCell ?? chart.title ?? null;
  return title ?? (chart.autoTitle && chart.series.length === 1 ? (firstName ?? null) : null);
}

/** The title of an axis: that of a cell, or its own. @param title what the chart says of it */
export function titleOfAxis(
  axis: ChartAxis | undefined,
  title: string | undefined,
  shown: ChartSource,
): string | null {
  const text = title ?? axis?.title;
  return axis?.titleFormula === undefined
    ? (text ?? null)
    : (textOfFormula(axis.titleFormula, text, shown) ?? null);
}

const textOfFormula = (name: string, last: string | null | undefined, shown: ChartSource) =>
  textOfPart(
    dataOfPart({ name, ...(last && { cached: { name: [last] } }) }, 'name', { type: '', series: [] }, shown),
  );
