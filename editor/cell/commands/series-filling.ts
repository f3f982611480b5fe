import { dateFromSerial, dateToSerial } from 'numfmt';
import type { Area } from '../../../model/cell/area.ts';
import { showsDate } from '../../../model/cell/formats/shown-value.ts';
import type { CellInput } from '../../../model/cell/operations.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import type { CellEditor } from '../cell-editor.ts';
import { kindOfFormat } from '../formats/format-kinds.ts';
import { type CellPosition, cornerOf, isSameCell } from '../grid/cell-areas.ts';
import type { SheetScene } from '../shown/sheet-scene.ts';
import { type EnteredNumber, widening } from './column-widening.ts';
import { filledRules } from './copied-rules.ts';
import { filledMerges } from './filled-merges.ts';
import { fillOperations } from './repeated-cells.ts';
import { rowsOf, unfilteredParts } from './selected-areas.ts';

/**
 * Continues what a range begins: numbers and days go on by their step, everything else is repeated. The other way, what
 * would go on is repeated, and a single number goes on by one. Rows that a filter hides stay as they are.
 */
export function fillByDrag(editor: CellEditor, from: Area, to: Area, { isOtherWay = false } = {}): boolean {
  const { page } = editor;
  const view = page.view.peek();
  const goesBack = to[2] < from[0] || to[3] < from[1];
  const patternAt = (place: CellPosition) => page.formatAt(place).number ?? 'General';
  const cells: [number, number, CellInput][] = [];
  const numbers: EnteredNumber[] = [];
  for (const { begun, further } of linesToFill(view, from, to).map((line) => firstOfMerged(view, line))) {
    if (begun.length === 0 || begun.some((place) => page.cellAt(place).formula !== null)) continue;
    const stepAlone = stepOf(begun.map(patternAt));
    const values = begun.map(({ row, column }) => view.valueAt(row, column));
    const series = isOtherWay ? otherSeriesOf(values, stepAlone, goesBack) : seriesOf(values, stepAlone);
    if (!series) continue;
    for (const [step, { row, column }] of further.entries()) {
      const value = series(step);
      cells.push([row, column, { v: value }]);
      const pattern = patternAt(begun[step % begun.length]!);
      if (typeof value === 'number') numbers.push({ row, column, value, pattern });
    }
  }
  const set = cells.length > 0 ? [{ op: 'set', sheet: view.sheet.id, cells } as const] : [];
  const merges = filledMerges(view, from, to, () => editor.newId());
  const rules = filledRules(editor, from, to);
  const filled = [...fillOperations(view, from, to), ...set, ...merges, ...rules];
  return editor.change(...filled, ...widening(editor, numbers));
}

/** Cells that are filled one after the other, from what is next to those that begin them; both in the order of filling. */
interface FilledLine {
  readonly begun: readonly CellPosition[];
  readonly further: readonly CellPosition[];
}

/** A line with one cell of each that are merged: the others hold nothing. */
export function firstOfMerged(view: Pick<SheetScene, 'mergeAt'>, { begun, further }: FilledLine): FilledLine {
  const isFirst = begun.map((place) => {
    const merge = view.mergeAt(place.row, place.column);
    return merge === null || isSameCell(cornerOf(merge), place);
  });
  return {
    begun: begun.filter((_, at) => isFirst[at]),
    further: further.filter((_, at) => isFirst[at % begun.length]),
  };
}

/** The columns, or the rows, along which cells are filled, without rows that a filter hides. */
export function linesToFill(view: Pick<SheetScene, 'sheet'>, from: Area, to: Area): FilledLine[] {
  const isDown = to[1] === from[1] && to[3] === from[3] && to[0] !== from[0];
  const goesBack = to[2] < from[0] || to[3] < from[1];
  const ordered = (cells: CellPosition[]) => (goesBack ? cells.toReversed() : cells);
  const seenRows = (area: Area) => unfilteredParts(view, area).flatMap(rowsOf);
  const columnsOf = ([, left, , right]: Area) =>
    Array.from({ length: right - left + 1 }, (_, at) => left + at);
  const down = (area: Area, column: number) => ordered(seenRows(area).map((row) => ({ row, column })));
  const across = (area: Area, row: number) => ordered(columnsOf(area).map((column) => ({ row, column })));
  return isDown
    ? columnsOf(from).map((column) => ({ begun: down(from, column), further: down(to, column) }))
    : seenRows(from).map((row) => ({ begun: across(from, row), further: across(to, row) }));
}

/** By how much a number goes on alone: a day by one, a time of the day by an hour; null for others, which are repeated. */
export function stepOf(patterns: readonly string[]): number | null {
  if (patterns.every((pattern) => kindOfFormat(pattern) === 'time')) return 1 / 24;
  return patterns.every(showsDate) ? 1 : null;
}

function otherSeriesOf(
  [first, ...others]: readonly CellValue[],
  stepAlone: number | null,
  goesBack: boolean,
): ((step: number) => CellValue) | null {
  if (typeof first !== 'number' || others.length > 0 || stepAlone !== null) return null;
  return (step) => first + (step + 1) * (goesBack ? -1 : 1);
}

/**
 * What comes after some values; null where they are only repeated.
 * @param stepAlone as `stepOf` says
 */
export function seriesOf(
  values: readonly CellValue[],
  stepAlone: number | null,
): ((step: number) => CellValue) | null {
  const numbers = values.every((value) => typeof value === 'number') ? (values as readonly number[]) : null;
  if (numbers) {
    if (numbers.length > 1) return (stepAlone === 1 ? monthSeries(numbers) : null) ?? linearSeries(numbers);
    // Twenty-fourths of a day are rounded as the sums of lines are.
    return stepAlone === null
      ? null
      : (step) => Number((numbers[0]! + stepAlone * (step + 1)).toPrecision(14));
  }
  const texts = values.every((value) => typeof value === 'string') ? (values as readonly string[]) : null;
  return (
    texts &&
    (quarterSeries(texts) ??
      numberedSeries(texts) ??
      ordinalSeries(texts) ??
      countedSeries(texts) ??
      namedSeries(texts))
  );
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
const numberedSeries = (texts: readonly string[]): ((step: number) => string) | null =>
  seriesOfParts(texts, /^(?<before>.*?)(?<digits>\d{1,15})(?<behind>)$/s);

/** `5 apples`, `6 apples`. */
const countedSeries = (texts: readonly string[]): ((step: number) => string) | null =>
  seriesOfParts(texts, /^(?<before>)(?<digits>\d{1,15})(?<behind>\D.*)$/s);

/** Texts that are the same but for digits. */
function seriesOfParts(texts: readonly string[], pattern: RegExp): ((step: number) => string) | null {
  const parts = texts.map((text) => pattern.exec(text)?.groups);
  const first = parts[0];
  if (!first) return null;
  const { before = '', digits = '', behind = '' } = first;
  if (parts.some((part) => part?.before !== before || part.behind !== behind)) return null;
  const numbers = parts.map((part) => Number(part!.digits));
  const width = digits.startsWith('0') ? digits.length : 1;
  const next = numbers.length === 1 ? (step: number) => numbers[0]! + step + 1 : linearSeries(numbers);
  return (step) => `${before}${String(Math.abs(Math.round(next(step)))).padStart(width, '0')}${behind}`;
}

/** `Q1` to `Q4`, also written `Qtr 1` or `Quarter 1`, and then the first again. */
function quarterSeries(texts: readonly string[]): ((step: number) => string) | null {
  const parts = texts.map((text) => /^((?:Q|Qtr|Quarter) ?)([1-4])$/i.exec(text));
  const first = parts[0];
  if (!first || parts.some((part) => part?.[1] !== first[1])) return null;
  const quarters = parts.map((part) => Number(part![2]));
  const step = quarters.length > 1 ? quarters[1]! - quarters[0]! : 1;
  return (further) => `${first[1]}${around(quarters.at(-1)! - 1 + step * (further + 1), 4) + 1}`;
}

/** `1st`, `2nd period`, as English counts. */
function ordinalSeries(texts: readonly string[]): ((step: number) => string) | null {
  const parts = texts.map((text) => /^(\d{1,9})(?:st|nd|rd|th)\b(.*)$/is.exec(text));
  const first = parts[0];
  if (!first || parts.some((part) => part?.[2] !== first[2])) return null;
  const numbers = parts.map((part) => Number(part![1]));
  const next = numbers.length === 1 ? (step: number) => numbers[0]! + step + 1 : linearSeries(numbers);
  return (step) => {
    const number = Math.abs(Math.round(next(step)));
    return `${number}${ordinalEnd(number)}${first[2]}`;
  };
}

function ordinalEnd(number: number): string {
  const isTeen = Math.trunc(number / 10) % 10 === 1;
  return (isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th';
}

/** A number brought between 0 and a length, going round. */
const around = (number: number, length: number): number => ((number % length) + length) % length;

/** Names of days and months, in the languages that people have. */
function namedSeries(texts: readonly string[]): ((step: number) => string) | null {
  for (const names of nameLists()) {
    const places = texts.map((text) => names.findIndex((name) => name.toLowerCase() === text.toLowerCase()));
    if (places.some((place) => place < 0)) continue;
    const step = places.length > 1 ? places[1]! - places[0]! : 1;
    const isUpper = texts.every((text) => text === text.toUpperCase() && text !== text.toLowerCase());
    return (further) => {
      const at = around(places.at(-1)! + step * (further + 1), names.length);
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
