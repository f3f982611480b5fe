import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';

/** Places of an axis of days, and at which of them each category stands. */
export interface DaySlots {
  /** A day for each place, as spreadsheets count them. */
  readonly days: readonly number[];
  readonly slotOf: readonly (number | undefined)[];
}

/** More places than that are drawn as categories without days. */
const mostSlots = 3_000;
const dayMs = 86_400_000;

/**
 * Categories that are days stand as far apart as these are, in order, with a place for each day, month or year between: the
 * largest of them that keeps all apart. Null where there is something else among them.
 */
export function daySlots(
  values: readonly (number | string | null)[],
  { date1904 = false }: Pick<FormatSettings, 'date1904'>,
): DaySlots | null {
  const days = values.filter((value) => typeof value === 'number').map(Math.floor);
  if (days.length === 0 || values.some((value) => typeof value === 'string')) return null;
  const epoch = Date.UTC(date1904 ? 1904 : 1899, date1904 ? 0 : 11, date1904 ? 1 : 30);
  const dateOf = (day: number) => new Date(epoch + day * dayMs);
  const monthOf = (day: number) => dateOf(day).getUTCFullYear() * 12 + dateOf(day).getUTCMonth();
  const units: readonly ((day: number) => number)[] = [
    (day) => dateOf(day).getUTCFullYear(),
    monthOf,
    (day) => day,
  ];
  const distinct = new Set(days).size;
  const unit = units.find((one) => new Set(days.map(one)).size === distinct)!;
  const places = days.map(unit);
  const first = places.reduce((least, place) => Math.min(least, place));
  const last = places.reduce((most, place) => Math.max(most, place));
  if (!(last - first < mostSlots)) return null;
  const known = new Map(days.map((day) => [unit(day) - first, day]));
  const dayOf = (slot: number): number => {
    const place = first + slot;
    if (unit === units[2]) return place;
    const date = unit === monthOf ? Date.UTC(Math.floor(place / 12), place % 12, 1) : Date.UTC(place, 0, 1);
    return Math.round((date - epoch) / dayMs);
  };
  return {
    days: Array.from({ length: last - first + 1 }, (_, slot) => known.get(slot) ?? dayOf(slot)),
    slotOf: values.map((value) => (typeof value === 'number' ? unit(Math.floor(value)) - first : undefined)),
  };
}
