import type { Chart, ChartSeries } from '../../../model/cell/chart.ts';
import { shownValue } from '../../../model/cell/formats/shown-value.ts';
import type { ChartSource, ReferencedCell } from './referenced-cells.ts';
import { numberOf } from './series-numbers.ts';

interface LabelContext {
  readonly chart: Chart;
  readonly name: string | undefined;
  readonly categories: readonly string[];
  readonly shown: ChartSource;
}

/** What stands at each point of a series. */
export function labelsOf(
  series: ChartSeries,
  cells: readonly ReferencedCell[],
  context: LabelContext,
): string[] {
  const { name = '', categories, shown } = context;
  const parts = series.labelParts ?? ['value'];
  const total = cells.reduce((sum, cell) => sum + Math.abs(numberOf(cell) ?? 0), 0);
  const format = series.labelFormat;
  return cells.map((cell, at) => {
    if (typeof cell.value !== 'number') return '';
    const written = (value: number, pattern: string) => shownValue(value, pattern, shown.settings).text;
    const texts = parts.map((part) => {
      switch (part) {
        case 'value':
          return format !== undefined && !parts.includes('percent')
            ? written(cell.value as number, format)
            : cell.text;
        case 'percent':
          return written(Math.abs(cell.value as number) / (total || 1), format ?? '0%');
        case 'category':
          return categories[at] ?? '';
        case 'series':
          return name;
        default:
          return '';
      }
    });
    return texts.filter((text) => text !== '').join('; ');
  });
}
