import { dateFromSerial, dateToSerial } from 'numfmt';
import { lastRow } from '../../../model/cell/area.ts';
import { showsDate } from '../../../model/cell/formats/shown-value.ts';
import type { CellInput, CellOperation } from '../../../model/cell/operations.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import type { CellEditor } from '../cell-editor.ts';
import { areaOfRange, type CellRange, heightOf, widthOf } from '../grid/cell-range.ts';
import type { Terrain } from '../grid/selection.ts';
import { type EnteredNumber, widening } from './column-widening.ts';
import { unfilteredParts } from './selected-areas.ts';

/** Copies the first row, or the first column, of what is selected over the others; of one cell the one before it. */
export function fillSelection(editor: CellEditor, axis: 'row' | 'column'): boolean {
  const { range } = editor;
  const { top, left, bottom, right } = range;
  const isAlone = axis === 'row' ? top === bottom : left === right;
  const shift = isAlone ? 1 : 0;
  if (axis === 'row' ? top - shift < 0 : left - shift < 0) return false;
  const from: CellRange =
    axis === 'row'
      ? { ...range, top: top - shift, bottom: top - shift }
      : { ...range, left: left - shift, right: left - shift };
  const to: CellRange =
    axis === 'row' ? { ...range, top: from.bottom + 1 } : { ...range, left: from.right + 1 };
  const parts = unfilteredParts(editor.page.view.peek(), to);
  return editor.change(...parts.map((part) => fillOperation(editor.page.sheetId.peek(), from, part)));
}

const fillOperation = (sheet: string, from: CellRange, to: CellRange): CellOperation => ({
  op: 'fill',
  sheet,
  from: areaOfRange(from),
  to: areaOfRange(to),
  part: 'all',
});

/** Which way, and how far, a range is dragged by its handle; null for no way. */
export function draggedRange(from: CellRange, row: number, column: number): CellRange | null {
  const below = row - from.bottom;
  const above = from.top - row;
  const after = column - from.right;
  const before = from.left - column;
  const farthest = Math.max(below, above, after, before);
  if (farthest <= 0) return null;
  if (below === farthest) return { ...from, top: from.bottom + 1, bottom: row };
  if (above === farthest) return { ...from, top: row, bottom: from.top - 1 };
  if (after === farthest) return { ...from, left: from.right + 1, right: column };
  return { ...from, left: column, right: from.left - 1 };
}

/**
 * How far a double press on the handle of a range fills down: as far as the cells before it go on without a gap, else
 * those behind it; null where nothing is beside it.
 */
export function rangeBesideFilled(sheet: Pick<Terrain, 'cellAt'>, from: CellRange): CellRange | null {
  const isFilled = (row: number, column: number) => {
    const cell = column < 0 ? null : sheet.cellAt(row, column);
    return cell !== null && cell.kind !== 'blank';
  };
  for (const column of [from.left - 1, from.right + 1]) {
    let row = from.bottom;
    while (row < lastRow && isFilled(row + 1, column)) row++;
    if (row > from.bottom) return { ...from, top: from.bottom + 1, bottom: row };
  }
  return null;
}

/**
 * Continues what a range begins: numbers and days go on by their step, everything else is repeated. The other way, what
 * would go on is repeated, and a single number goes on by one.
 */
export function fillByDrag(
  editor: CellEditor,
  from: CellRange,
  to: CellRange,
  { isOtherWay = false } = {},
): boolean {
  const view = editor.page.view.peek();
  const sheet = editor.page.sheetId.peek();
  const isDown = to.left === from.left && to.right === from.right && to.top !== from.top;
  const goesBack = to.bottom < from.top || to.right < from.left;
  const lines = isDown ? widthOf(from) : heightOf(from);
  const count = isDown ? heightOf(to) : widthOf(to);
  const cells: [number, number, CellInput][] = [];
  const numbers: EnteredNumber[] = [];
  for (let line = 0; line < lines; line++) {
    const places = Array.from({ length: isDown ? heightOf(from) : widthOf(from) }, (_, at) =>
      isDown
        ? { row: from.top + at, column: from.left + line }
        : { row: from.top + line, column: from.left + at },
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
      const row = isDown ? from.top + along : from.top + line;
      const column = isDown ? from.left + line : from.left + along;
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
