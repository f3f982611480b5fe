import type { Chart, ChartSeries } from '../../../model/cell/chart.ts';
import { shownValue } from '../../../model/cell/formats/shown-value.ts';
import { quotedText } from '../../../model/cell/formula/quoted-text.ts';
import { type ChartSource, cellsOfReference, type ReferencedCell } from './referenced-cells.ts';

type Part = 'name' | 'categories' | 'values' | 'sizes';

/** Cells of one part of a series: from the workbook, else as the file had them last; null where there is nothing. */
export interface PartData {
  readonly cells: readonly ReferencedCell[];
  /** Of categories in several columns (or rows): those before the last, from the outermost. */
  readonly outer: readonly (readonly ReferencedCell[])[];
}

export function dataOfPart(
  series: ChartSeries,
  part: Part,
  { showsHidden }: Chart,
  shown: ChartSource,
): PartData | null {
  const formula = series[part];
  const words = formula === undefined ? undefined : quotedText(formula);
  if (words !== undefined) return { cells: [textCell(words)], outer: [] };
  const rows =
    formula === undefined ? null : cellsOfReference(formula, shown, { showsHidden: showsHidden ?? false });
  if (rows) return ofRows(rows, part);
  const cached = series.cached?.[part];
  if (!cached) return null;
  const pattern =
    (part === 'categories' || part === 'values' ? series.cachedFormats?.[part] : undefined) ?? 'General';
  const cells = cached.map((value): ReferencedCell => {
    if (value === null) return { value: null, isError: false, text: '', pattern };
    const isError = typeof value === 'string' && /^#[A-Z/0!?]+$/.test(value);
    const { text } = shownValue(value, pattern, shown.settings);
    return { value: isError ? null : value, isError, text, pattern };
  });
  return { cells, outer: [] };
}

function ofRows(rows: readonly ReferencedCell[][], part: Part): PartData {
  const width = rows[0]?.length ?? 0;
  const isBlock = rows.length > 1 && width > 1 && rows.every((row) => row.length === width);
  if (part !== 'categories' || !isBlock) return { cells: rows.flat(), outer: [] };
  // The levels lie side by side, or one above the other where there are fewer rows than columns.
  if (width <= rows.length) {
    const levels = Array.from({ length: width }, (_, at) => rows.map((row) => row[at]!));
    return { cells: levels.at(-1)!, outer: levels.slice(0, -1) };
  }
  return { cells: rows.at(-1)!, outer: rows.slice(0, -1) };
}

const textCell = (text: string): ReferencedCell => ({
  value: text,
  isError: false,
  text,
  pattern: 'General',
});

/** What a name or a title that is of cells says; undefined where it says nothing. */
export function textOfPart(data: PartData | null): string | undefined {
  const text = data?.cells
    .map((cell) => cell.text)
    .filter((one) => one !== '')
    .join(' ');
  return text || undefined;
}
