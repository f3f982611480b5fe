import { dateFromSerial, dateToSerial } from 'numfmt';
import { type Area, lastRow } from '../../../model/cell/area.ts';
import { showsDate } from '../../../model/cell/formats/shown-value.ts';
import type { CellInput, CellOperation } from '../../../model/cell/operations.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import type { CellEditor } from '../cell-editor.ts';
import { heightOf, widthOf } from '../grid/cell-areas.ts';
import type { Terrain } from '../grid/selection.ts';
import { type EnteredNumber, widening } from './column-widening.ts';
import { unfilteredParts } from './selected-areas.ts';

/** Copies the first row, or the first column, of what is selected over the others; of one cell the one before it. */
export function fillSelection(editor: CellEditor, axis: 'row' | 'column'): boolean {
  const { range } = editor;
  const [top, left, bottom, right] = range;
  const isAlone = axis === 'row' ? top === bottom : left === right;
  const shift = isAlone ? 1 : 0;
  if (axis === 'row' ? top - shift < 0 : left - shift < 0) return false;
  const from: Area =
    axis === 'row'
      ? [top - shift, range[1], top - shift, range[3]]
      : [range[0], left - shift, range[2], left - shift];
  const to: Area =
    axis === 'row'
      ? [from[2] + 1, range[1], range[2], range[3]]
      : [range[0], from[3] + 1, range[2], range[3]];
  const parts = unfilteredParts(editor.page.view.peek(), to);
  return editor.change(...parts.map((part) => fillOperation(editor.page.sheetId.peek(), from, part)));
}

const fillOperation = (sheet: string, from: Area, to: Area): CellOperation => ({
  op: 'fill',
  sheet,
  from,
  to,
  part: 'all',
});

/** Which way, and how far, a range is dragged by its handle; null for no way. */
export function draggedRange(from: Area, row: number, column: number): Area | null {
  const below = row - from[2];
  const above = from[0] - row;
  const after = column - from[3];
  const before = from[1] - column;
  const farthest = Math.max(below, above, after, before);
  if (farthest <= 0) return null;
  if (below === farthest) return [from[2] + 1, from[1], row, from[3]];
  if (above === farthest) return [row, from[1], from[0] - 1, from[3]];
  if (after === farthest) return [from[0], from[3] + 1, from[2], column];
  return [from[0], column, from[2], from[1] - 1];
}

/**
 * How far a double press on the handle of a range fills down: as far as the cells before it go on without a gap, else
 * those behind it; null where nothing is beside it.
 */
export function rangeBesideFilled(sheet: Pick<Terrain, 'cellAt'>, from: Area): Area | null {
  const isFilled = (row: number, column: number) => {
    const cell = column < 0 ? null : sheet.cellAt(row, column);
    return cell !== null && cell.kind !== 'blank';
  };
  for (const column of [from[1] - 1, from[3] + 1]) {
    let row = from[2];
    while (row < lastRow && isFilled(row + 1, column)) row++;
    if (row > from[2]) return [from[2] + 1, from[1], row, from[3]];
  }
  return null;
}

/**
 * Continues what a range begins: numbers and days go on by their step, everything else is repeated. The other way, what
 * would go on is repeated, and a single number goes on by one.
 */
export function fillByDrag(editor: CellEditor, from: Area, to: Area, { isOtherWay = false } = {}): boolean {
  const view = editor.page.view.peek();
  const sheet = editor.page.sheetId.peek();
  const isDown = to[1] === from[1] && to[3] === from[3] && to[0] !== from[0];
  const goesBack = to[2] < from[0] || to[3] < from[1];
  const lines = isDown ? widthOf(from) : heightOf(from);
  const count = isDown ? heightOf(to) : widthOf(to);
  const cells: [number, number, CellInput][] = [];
  const numbers: EnteredNumber[] = [];
  for (let line = 0; line < lines; line++) {
    const places = Array.from({ length: isDown ? heightOf(from) : widthOf(from) }, (_, at) =>
      isDown ? { row: from[0] + at, column: from[1] + line } : { row: from[0] + line, column: from[1] + at },
    );
    const hasFormula = places.some((place) => editor.page.cellAt(place).formula !== null);
    const isDate = places.every((place) => showsDate(editor.page.formatAt(place).number ?? 'General'));
    const values = places.map(({ row, column }) => view.valueAt(row, column));
    const own = goesBack ? values.toReversed() : values;
    const series = hasFormula
      ? null
      : isOtherWay
        ? otherSeriesOf(own, isDate, goesBack)
        : seriesOf(own, isDate);
    if (!series) continue;
    for (let step = 0; step < count; step++) {
      const value = series(step);
      const along = goesBack ? -1 - step : (isDown ? heightOf(from) : widthOf(from)) + step;
      const row = isDown ? from[0] + along : from[0] + line;
      const column = isDown ? from[1] + line : from[1] + along;
      cells.push([row, column, { v: value }]);
      const like = places[step % places.length]!;
      const pattern = editor.page.formatAt(like).number ?? 'General';
      if (typeof value === 'number') numbers.push({ row, column, value, pattern });
    }
  }
  const filled = fillOperation(sheet, from, to);
  const set = cells.length > 0 ? [{ op: 'set', sheet, cells } as const] : [];
  return editor.change(filled, ...set, ...widening(editor, numbers));
}

function otherSeriesOf(
  [first, ...others]: readonly CellValue[],
  isDate: boolean,
  goesBack: boolean,
): ((step: number) => CellValue) | null {
  if (typeof first !== 'number' || others.length > 0 || isDate) return null;
  return (step) => first + (step + 1) * (goesBack ? -1 : 1);
}

/** What comes after some values; null where they are only repeated. */
export function seriesOf(
  values: readonly CellValue[],
  isDate: boolean,
): ((step: number) => CellValue) | null {
  const numbers = values.every((value) => typeof value === 'number') ? (values as readonly number[]) : null;
  if (numbers) {
    if (numbers.length === 1) return isDate ? (step) => numbers[0]! + step + 1 : null;
    return (isDate ? monthSeries(numbers) : null) ?? linearSeries(numbers);
  }
  const texts = values.every((value) => typeof value === 'string') ? (values as readonly string[]) : null;
  return texts && (numberedSeries(texts) ?? namedSeries(texts));
}

/** The line that fits the numbers best, as spreadsheets continue them. */
function linearSeries(numbers: readonly number[]): (step: number) => number {
  const count = numbers.length;
  const meanX = (count - 1) / 2;
  const meanY = numbers.reduce((sum, value) => sum + value, 0) / count;
  let [covered, spread] = [0, 0];
  for (const [x, y] of numbers.entries()) {
    covered += (x - meanX) * (y - meanY);
    spread += (x - meanX) ** 2;
  }
  const slope = covered / spread;
  // Sums of decimals have digits far behind the point that nobody meant.
  return (step) => Number((meanY + slope * (count + step - meanX)).toPrecision(14));
}

/** The same day of the months that follow. */
function monthSeries(numbers: readonly number[]): ((step: number) => number) | null {
  const dates = numbers.map((serial) => dateFromSerial(serial) as number[]);
  const months = dates.map(([year, month]) => year! * 12 + month!);
  const step = months[1]! - months[0]!;
  const isSteady = months.every((month, at) => at === 0 || month - months[at - 1]! === step);
  const isSameDay = dates.every(([, , day]) => day === dates[0]![2]);
  if (step === 0 || !isSteady || !isSameDay) return null;
  return (further) => {
    const month = months.at(-1)! + step * (further + 1) - 1;
    const [year, inYear] = [Math.floor(month / 12), (month % 12) + 1];
    const lastDay = new Date(Date.UTC(year, inYear, 0)).getUTCDate();
    return dateToSerial([year, inYear, Math.min(dates[0]![2]!, lastDay)]) as number;
  };
}

/** `Item 1`, `Item 2`. */
function numberedSeries(texts: readonly string[]): ((step: number) => string) | null {
  const parts = texts.map((text) => /^(.*?)(\d{1,15})$/s.exec(text));
  const first = parts[0];
  if (!first || parts.some((part) => part?.[1] !== first[1])) return null;
  const numbers = parts.map((part) => Number(part![2]));
  const width = first[2]!.startsWith('0') ? first[2]!.length : 1;
  const next = numbers.length === 1 ? (step: number) => numbers[0]! + step + 1 : linearSeries(numbers);
  return (step) => `${first[1]}${String(Math.abs(Math.round(next(step)))).padStart(width, '0')}`;
}

/** Names of days and months, in the languages that people have. */
function namedSeries(texts: readonly string[]): ((step: number) => string) | null {
  for (const names of nameLists()) {
    const places = texts.map((text) => names.findIndex((name) => name.toLowerCase() === text.toLowerCase()));
    if (places.some((place) => place < 0)) continue;
    const step = places.length > 1 ? places[1]! - places[0]! : 1;
    const isUpper = texts.every((text) => text === text.toUpperCase() && text !== text.toLowerCase());
    return (further) => {
      const length = names.length;
      const at = (((places.at(-1)! + step * (further + 1)) % length) + length) % length;
      return isUpper ? names[at]!.toUpperCase() : names[at]!;
    };
  }
  return null;
}

function nameLists(): string[][] {
  const locales = new Set([...(globalThis.navigator?.languages ?? []), 'en']);
  return [...locales].flatMap((locale) => {
    const list = (count: number, options: Intl.DateTimeFormatOptions, dateOf: (at: number) => Date) =>
      Array.from({ length: count }, (_, at) =>
        new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(dateOf(at)),
      );
    const day = (at: number) => new Date(Date.UTC(2024, 0, 1 + at));
    const month = (at: number) => new Date(Date.UTC(2024, at, 1));
    return [
      list(7, { weekday: 'long' }, day),
      list(7, { weekday: 'short' }, day),
      list(12, { month: 'long' }, month),
      list(12, { month: 'short' }, month),
    ];
  });
}
