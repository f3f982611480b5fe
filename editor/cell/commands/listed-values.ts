import type { FilterColumn } from '../../../model/cell/filter-columns.ts';
import type { FilterCells } from './filter-tests.ts';
import { partsOfDate, rowTest } from './filter-tests.ts';

/** What stands in a column, each once: a text as it is shown, or a day. */
export interface ListedValue {
  /** What it is chosen by. */
  readonly key: string;
  /** As the first of its cells shows it; empty for cells that show nothing. */
  readonly text: string;
  /** Year, month and day of cells that show a date. */
  readonly day: readonly [year: number, month: number, day: number] | null;
  readonly count: number;
  /** Whether the filter of the column shows it. */
  readonly isShown: boolean;
}

/** The values of rows: days first, the latest year before the others, then texts in their order. */
export function listedValues(
  cells: FilterCells,
  rows: readonly number[],
  own: FilterColumn | null,
  locale: string,
): ListedValue[] {
  const isShown = own ? rowTest(own, cells) : () => true;
  const listed = new Map<string, ListedValue>();
  for (const row of rows) {
    const shown = cells.textAt(row);
    const text = shown.trim() === '' ? '' : shown;
    const value = cells.valueAt(row);
    const isDay = text !== '' && typeof value === 'number' && cells.isDateAt(row);
    const [year = 0, month = 0, dayOfMonth = 0] = isDay ? partsOfDate(value, cells.isFrom1904) : [];
    const day = isDay ? ([year, month, dayOfMonth] as const) : null;
    const key = day ? `\u0000${day.join('-')}` : text;
    const known = listed.get(key);
    listed.set(key, {
      ...(known ?? { key, text, day }),
      count: (known?.count ?? 0) + 1,
      isShown: known?.isShown || isShown(row),
    });
  }
  const collator = new Intl.Collator(locale, { numeric: true });
  const order = (one: ListedValue, other: ListedValue): number => {
    if (!one.day || !other.day)
      return Number(other.day !== null) - Number(one.day !== null) || collator.compare(one.text, other.text);
    const [[year, month, day], [otherYear, otherMonth, otherDay]] = [one.day, other.day];
    return otherYear - year || month - otherMonth || day - otherDay;
  };
  return [...listed.values()].toSorted(order);
}

/**
 * The filter of a column that shows some of its values. Of days it names whole years and months where all of them that the
 * column has are shown, as Excel does.
 * @param column counted from the first of the list
 */
export function columnOfValues(
  column: number,
  listed: readonly ListedValue[],
  chosen: ReadonlySet<string>,
): FilterColumn {
  const shown = listed.filter(({ key }) => chosen.has(key));
  const days = listed.flatMap(({ day, key }) => (day ? [{ day, isChosen: chosen.has(key) }] : []));
  const isWhole = (group: readonly number[]) =>
    days.every(({ day, isChosen }) => isChosen || !group.every((part, at) => part === day[at]));
  const dates = new Map<string, number[]>();
  for (const { day } of shown) {
    if (!day) continue;
    const group = [day.slice(0, 1), day.slice(0, 2)].find(isWhole) ?? [...day];
    dates.set(group.join('-'), group);
  }
  const texts = shown.filter(({ day, text }) => !day && text !== '').map(({ text }) => text);
  return {
    column,
    ...((texts.length > 0 || dates.size === 0) && { values: texts }),
    ...(dates.size > 0 && { dates: [...dates.values()] }),
    ...(shown.some(({ text }) => text === '') && { blanks: true }),
  };
}
