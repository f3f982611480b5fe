import type { Chart } from '../../../model/cell/chart.ts';
import { shownValue } from '../../../model/cell/formats/shown-value.ts';
import { daySlots } from './day-slots.ts';
import type { ChartSource, ReferencedCell } from './referenced-cells.ts';
import { dataOfPart, type PartData } from './series-data.ts';

/** What stands along the axis that values are not at. */
export interface Categories {
  /** As they stand at the axis. */
  readonly texts: readonly string[];
  /** As cells have them. */
  readonly own: readonly string[];
  readonly pattern: string;
  readonly hasSlots: boolean;
  /** What is said of each, at the places of the axis. */
  readonly placed: <Value>(values: readonly Value[]) => (Value | null)[];
}

/** The categories of all series, which are those of the first that has any; numbers where none has. */
export function categoriesOf(chart: Chart, shown: ChartSource, count: number): Categories {
  const found = chart.series
    .map((series) => dataOfPart(series, 'categories', chart, shown))
    .find((data) => data?.cells.length);
  const length = Math.max(count, found?.cells.length ?? 0);
  const pattern = chart.axes?.category?.format ?? found?.cells[0]?.pattern ?? 'General';
  const plain = <Value>(values: readonly Value[]): (Value | null)[] => [...values];
  if (!found) {
    const texts = Array.from({ length }, (_, at) => String(at + 1));
    return { texts, own: texts, pattern, hasSlots: false, placed: plain };
  }
  const format = chart.axes?.category?.format;
  const textOf = (cell: ReferencedCell | undefined) => {
    if (!cell) return '';
    return format !== undefined && typeof cell.value === 'number'
      ? shownValue(cell.value, format, shown.settings).text
      : cell.text;
  };
  const own = Array.from({ length }, (_, at) => textOf(found.cells[at]));
  const slots = chart.axes?.category?.days
    ? daySlots(
        found.cells.map(({ value }) => value),
        shown.settings,
      )
    : null;
  if (slots) {
    const texts = slots.days.map((day) => shownValue(day, pattern, shown.settings).text);
    const placed = <Value>(values: readonly Value[]) => {
      const result: (Value | null)[] = new Array(texts.length).fill(null);
      for (const [at, value] of values.entries()) {
        const slot = slots.slotOf[at];
        if (slot !== undefined) result[slot] = value;
      }
      return result;
    };
    return { texts, own, pattern, hasSlots: true, placed };
  }
  const texts = own.map((text, at) => withOuter(text, at, found));
  return { texts, own, pattern, hasSlots: false, placed: plain };
}

/** Where an outer group begins it stands below the category. */
function withOuter(text: string, at: number, { outer }: PartData): string {
  const begun = outer.toReversed().map((level) => level[at]?.text ?? '');
  return [text, ...begun.filter((one) => one !== '')].join('\n');
}
