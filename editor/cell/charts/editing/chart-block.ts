import type { Area } from '../../../../model/cell/area.ts';
import type { Chart } from '../../../../model/cell/chart.ts';
import { type ChartChange, type SeriesFields, seriesNumbers } from '../../../../model/cell/chart-change.ts';
import { isReference, partsOf } from '../../../../model/cell/formula/formula-parts.ts';
import { type Sheet, sheetNamed, type Workbook } from '../../../../model/cell/workbook.ts';

import { likeOthers } from './chart-looks.ts';
import { type BlockLayout, seriesOfBlock } from './chart-of-cells.ts';

/** The block of cells that all series of a chart are of, and how they lie in it. */
export interface ChartBlock {
  readonly sheet: Sheet;
  readonly range: Area;
  readonly layout: BlockLayout;
}

interface Place {
  readonly sheet: Sheet;
  readonly range: Area;
}

/** The cells of a reference to one range; null for anything else. */
export function placeOfReference(formula: string | undefined, workbook: Workbook): Place | null {
  const [part, ...others] = formula === undefined ? [] : partsOf(formula);
  if (part === undefined || others.length > 0 || typeof part === 'string' || !isReference(part)) return null;
  const sheet = part.sheet === null || part.toSheet !== null ? undefined : sheetNamed(workbook, part.sheet);
  return sheet ? { sheet, range: part.area } : null;
}

/** The block of a chart; null where its series are not one. */
export function blockOfChart({ series }: Chart, workbook: Workbook): ChartBlock | null {
  const values = series.map((one) => placeOfReference(one.values, workbook));
  const [first] = values;
  const last = values.at(-1);
  if (!first || !last || values.some((one) => one?.sheet !== first.sheet)) return null;
  const { sheet, range } = first;
  const name = placeOfReference(series[0]!.name, workbook);
  const labels = placeOfReference(series[0]!.categories, workbook);
  const isByColumns =
    series.length > 1
      ? last.range[1] !== range[1]
      : range[2] > range[0] || name === null || name.range[0] < range[0];
  const beforeRows = isByColumns ? name : labels;
  const beforeColumns = isByColumns ? labels : name;
  const block: Area = [
    beforeRows ? range[0] - 1 : range[0],
    beforeColumns ? range[1] - 1 : range[1],
    last.range[2],
    last.range[3],
  ];
  const layout: BlockLayout = {
    seriesIn: isByColumns ? 'columns' : 'rows',
    hasHeader: beforeRows !== null,
    hasLabels: beforeColumns !== null,
  };
  const expected = block[0] < 0 || block[1] < 0 ? [] : seriesOfBlock({ sheet }, block, layout);
  const isSame =
    expected.length === series.length &&
    expected.every((one, at) =>
      (['name', 'categories', 'values'] as const).every((part) => one[part] === series[at]![part]),
    );
  return isSame ? { sheet, range: block, layout } : null;
}

/** What makes a chart one of other cells: series keep their looks in their order, others go or come. */
export function changeToBlock(chart: Chart, { sheet, range, layout }: ChartBlock): ChartChange {
  const wanted = seriesOfBlock({ sheet }, range, layout);
  const numbers = seriesNumbers(chart.series);
  const next = Math.max(-1, ...numbers) + 1;
  const series: Record<string, SeriesFields | null> = {};
  for (const [at, one] of wanted.entries()) {
    const known = numbers[at];
    const { name = null, categories = null, values } = one;
    series[known ?? next + at - numbers.length] =
      known === undefined ? { ...one, ...likeOthers(chart) } : { name, categories, values };
  }
  for (const number of numbers.slice(wanted.length)) series[number] = null;
  return { series };
}
