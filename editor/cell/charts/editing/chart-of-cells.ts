import type { Area } from '../../../../model/cell/area.ts';
import type { Chart, ChartSeries } from '../../../../model/cell/chart.ts';
import type { CellValue } from '../../../../model/cell/values.ts';
import type { Sheet } from '../../../../model/cell/workbook.ts';
import { absoluteReference } from '../../commands/names.ts';

/** Cells as charts are made of them. */
export interface CellsOfChart {
  readonly sheet: Sheet;
  readonly valueAt: (row: number, column: number) => CellValue;
  readonly isDateAt: (row: number, column: number) => boolean;
}

/** Where the series of a block of cells lie, and which of its cells are headings. */
export interface BlockLayout {
  readonly seriesIn: 'columns' | 'rows';
  readonly hasHeader: boolean;
  readonly hasLabels: boolean;
}

/** Series that one block gives at most: more cannot be told apart. */
const mostSeries = 50;
/** A circle of more slices cannot be read. */
const mostSlices = 8;

const isNumber = (value: CellValue): value is number => typeof value === 'number';
const isEmpty = (value: CellValue): boolean => value === null || value === '';

/**
 * Which cells of a block are headings, as other programs tell: texts and days above or before numbers, and what stands beside an
 * empty corner. Series lie along the longer side.
 */
export function layoutOf({ valueAt, isDateAt }: CellsOfChart, range: Area): BlockLayout {
  const [top, left, bottom, right] = range;
  const isHeading = (row: number, column: number) => !isNumber(valueAt(row, column)) || isDateAt(row, column);
  const columns = Array.from({ length: right - left + 1 }, (_, at) => left + at);
  const rows = Array.from({ length: Math.min(200, bottom - top + 1) }, (_, at) => top + at);
  const corner = isEmpty(valueAt(top, left));
  const hasHeader =
    rows.length > 1 &&
    (columns.length > 1 ? columns.slice(1) : columns).every((column) => isHeading(top, column) || corner) &&
    columns.some((column) => !isEmpty(valueAt(top, column)));
  const below = hasHeader ? rows.slice(1) : rows;
  const hasLabels =
    columns.length > 1 &&
    (below.every((row) => isHeading(row, left)) || (corner && hasHeader)) &&
    below.some((row) => !isEmpty(valueAt(row, left)));
  const height = bottom - top + 1 - Number(hasHeader);
  const width = right - left + 1 - Number(hasLabels);
  return { hasHeader, hasLabels, seriesIn: height >= width ? 'columns' : 'rows' };
}

/** The series of a block of cells. */
export function seriesOfBlock(
  { sheet }: Pick<CellsOfChart, 'sheet'>,
  [top, left, bottom, right]: Area,
  { seriesIn, hasHeader, hasLabels }: BlockLayout,
): ChartSeries[] {
  const [firstRow, firstColumn] = [top + Number(hasHeader), left + Number(hasLabels)];
  const reference = (range: Area) => absoluteReference(sheet, range);
  if (seriesIn === 'columns') {
    const categories = hasLabels && reference([firstRow, left, bottom, left]);
    return Array.from({ length: Math.min(mostSeries, right - firstColumn + 1) }, (_, at) => {
      const column = firstColumn + at;
      return {
        ...(hasHeader && { name: reference([top, column, top, column]) }),
        ...(categories && { categories }),
        values: reference([firstRow, column, bottom, column]),
      };
    });
  }
  const categories = hasHeader && reference([top, firstColumn, top, right]);
  return Array.from({ length: Math.min(mostSeries, bottom - firstRow + 1) }, (_, at) => {
    const row = firstRow + at;
    return {
      ...(hasLabels && { name: reference([row, left, row, left]) }),
      ...(categories && { categories }),
      values: reference([row, firstColumn, row, right]),
    };
  });
}

/** A chart of a block of cells, of the kind that shows them best. */
export function chartOfBlock(cells: CellsOfChart, range: Area): Chart {
  const { valueAt, isDateAt } = cells;
  const layout = layoutOf(cells, range);
  const [top, left, bottom, right] = range;
  const firstRow = top + Number(layout.hasHeader);
  const isPairs =
    !layout.hasLabels &&
    right - left === 1 &&
    bottom - firstRow >= 2 &&
    isRising(cells, left, firstRow, bottom);
  if (isPairs) {
    const [series] = seriesOfBlock(cells, range, { ...layout, hasLabels: true, seriesIn: 'columns' });
    return {
      ...{ type: 'scatter', legend: null, axes: scatterAxes },
      series: [{ ...series, stroke: { none: true } }],
      ...(layout.hasHeader && { autoTitle: true }),
    };
  }
  const series = seriesOfBlock(cells, range, layout);
  const isLone = series.length === 1;
  const areDays = layout.hasLabels && isDateAt(firstRow, left);
  const shares =
    isLone && layout.hasLabels && layout.seriesIn === 'columns' ? sumOf(valueAt, range, firstRow) : null;
  const common = {
    legend: isLone ? null : ('bottom' as const),
    series,
    ...(isLone && series[0]!.name !== undefined && { autoTitle: true }),
  };
  if (areDays) {
    const plain = series.map((one) => ({ ...one, marker: { symbol: 'none' } }));
    return { type: 'line', grouping: 'standard', ...common, series: plain };
  }
  if (shares !== null && bottom - firstRow + 1 <= mostSlices)
    return {
      type: 'pie',
      ...common,
      legend: 'right',
      series: [{ ...series[0]!, labels: true, labelParts: ['percent'] }],
    };
  return { type: 'column', grouping: 'clustered', ...common };
}

const scatterAxes = { category: { between: false }, value: { between: false } } as const;

function isRising({ valueAt }: CellsOfChart, column: number, top: number, bottom: number): boolean {
  for (let row = top; row <= bottom; row++) {
    const [value, last] = [valueAt(row, column), row > top ? valueAt(row - 1, column) : null];
    if (!isNumber(value) || (isNumber(last) && value <= last)) return false;
  }
  return true;
}

/** The sum of values that are parts of a whole: they come to one, or a hundred. */
function sumOf(valueAt: CellsOfChart['valueAt'], [, , bottom, right]: Area, firstRow: number): number | null {
  let sum = 0;
  for (let row = firstRow; row <= bottom; row++) {
    const value = valueAt(row, right);
    if (!isNumber(value) || value < 0) return null;
    sum += value;
  }
  return Math.abs(sum - 1) < 1e-6 || Math.abs(sum - 100) < 1e-6 ? sum : null;
}
