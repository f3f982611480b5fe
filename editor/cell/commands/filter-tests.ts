import { days1904, daysTo1970 } from '../../../model/calculation/serial-days.ts';
import type { Color } from '../../../model/cell/cell-format.ts';
import type { FilterColumn } from '../../../model/cell/filter-columns.ts';
import { type CellValue, textOfValue } from '../../../model/cell/values.ts';
import { isInPeriod } from '../shown/date-periods.ts';
import { wildcard } from './wildcard.ts';

type Condition = NonNullable<FilterColumn['conditions']>[number];

/** What a filter asks of the cells of one column, by their rows. */
export interface FilterCells {
  readonly rows: readonly number[];
  /** As it is shown. */
  textAt(row: number): string;
  valueAt(row: number): CellValue;
  /** Whether the cell shows its number as a day. */
  isDateAt(row: number): boolean;
  /** Colours as CSS has them; null for the one that a cell or a text has by itself. */
  fillAt(row: number): string | null;
  fontColorAt(row: number): string | null;
  cssOf(color: Color): string | null;
  /** The serial number of today. */
  readonly today: number;
  readonly isFrom1904: boolean;
}

type RowTest = (row: number) => boolean;

/** Whether a row passes a column's filter. What the file says and nobody here knows lets every row pass. */
export function rowTest(column: FilterColumn, cells: FilterCells): RowTest {
  const { values, blanks, dates, conditions, top, dynamic, color } = column;
  if (values || blanks || dates) return valuesTest(values ?? [], blanks === true, dates ?? [], cells);
  if (conditions) {
    const tests = conditions.map((condition) => conditionTest(condition, cells));
    return (row) => (column.all ? tests.every((test) => test(row)) : tests.some((test) => test(row)));
  }
  if (top) return rankTest(top, cells);
  if (dynamic !== undefined && dynamic !== 'null') return dynamicTest(dynamic, cells);
  if (color) {
    const wanted = cells.cssOf(color.color as Color);
    const colorAt = (row: number) => (color.ofFont ? cells.fontColorAt(row) : cells.fillAt(row));
    return (row) => colorAt(row)?.toLowerCase() === wanted?.toLowerCase();
  }
  return () => true;
}

/** A stretch of time that a list of values names: a year, a month of it, a day … */
type DateGroup = readonly number[];

const secondsPerDay = 86_400;

/** Year, month, day, hour, minute and second of a serial number. */
export function partsOfDate(serial: number, isFrom1904: boolean): number[] {
  const days = serial + (isFrom1904 ? days1904 : 0) - daysTo1970;
  const date = new Date(Math.round(days * secondsPerDay) * 1_000);
  return [
    ...[date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()],
    ...[date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()],
  ];
}

function valuesTest(
  values: readonly string[],
  blanks: boolean,
  dates: readonly DateGroup[],
  cells: FilterCells,
): RowTest {
  const shown = new Set(values.map((text) => text.toLowerCase()));
  const isInDates = (value: CellValue) => {
    if (typeof value !== 'number' || dates.length === 0) return false;
    const parts = partsOfDate(value, cells.isFrom1904);
    return dates.some((group) => group.every((part, at) => part === parts[at]));
  };
  return (row) => {
    const text = cells.textAt(row);
    if (text.trim() === '') return blanks;
    return shown.has(text.toLowerCase()) || isInDates(cells.valueAt(row));
  };
}

const isNumeral = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

function conditionTest({ operator, value }: Condition, cells: FilterCells): RowTest {
  const number = isNumeral(value) ? Number(value) : null;
  if (operator === 'equal' || operator === 'notEqual') {
    const isWanted = operator === 'equal';
    const isFitting = wildcard(value.trim());
    const isEqual: RowTest = (row) => {
      const content = cells.valueAt(row);
      if (number !== null && typeof content === 'number') return content === number;
      return isFitting(cells.textAt(row));
    };
    return (row) => isEqual(row) === isWanted;
  }
  const order: (row: number) => number =
    number !== null
      ? (row) => {
          const content = cells.valueAt(row);
          return typeof content === 'number' ? content - number : Number.NaN;
        }
      : (row) => {
          const content = cells.valueAt(row);
          if (content === null || typeof content === 'number') return Number.NaN;
          return textOfValue(content).localeCompare(value, undefined, { sensitivity: 'base' });
        };
  switch (operator) {
    case 'greaterThan':
      return (row) => order(row) > 0;
    case 'greaterThanOrEqual':
      return (row) => order(row) >= 0;
    case 'lessThan':
      return (row) => order(row) < 0;
    case 'lessThanOrEqual':
      return (row) => order(row) <= 0;
    default:
      return () => true;
  }
}

const numbersOf = ({ rows, valueAt }: FilterCells): number[] =>
  rows.map((row) => valueAt(row)).filter((value) => typeof value === 'number');

function rankTest({ count, percent, bottom }: NonNullable<FilterColumn['top']>, cells: FilterCells): RowTest {
  const sorted = numbersOf(cells).sort((one, other) => (bottom ? one - other : other - one));
  const wanted = percent ? Math.floor((sorted.length * count) / 100) : count;
  const edge = sorted[Math.min(sorted.length, Math.max(1, wanted)) - 1];
  return (row) => {
    const value = cells.valueAt(row);
    if (typeof value !== 'number' || edge === undefined) return false;
    return bottom ? value <= edge : value >= edge;
  };
}

function dynamicTest(type: string, cells: FilterCells): RowTest {
  if (type === 'aboveAverage' || type === 'belowAverage') {
    const numbers = numbersOf(cells);
    const mean = numbers.reduce((sum, value) => sum + value, 0) / (numbers.length || 1);
    return (row) => {
      const value = cells.valueAt(row);
      return typeof value === 'number' && (type === 'aboveAverage' ? value > mean : value < mean);
    };
  }
  const { today, isFrom1904 } = cells;
  return (row) => {
    const value = cells.valueAt(row);
    return typeof value === 'number' && isInStretch(value, type, today, isFrom1904);
  };
}

/** The stretches of time of filters, as xlsx calls them: those of conditions, and longer ones (18.18.26). */
function isInStretch(value: number, type: string, today: number, isFrom1904: boolean): boolean {
  const [year, month] = partsOfDate(value, isFrom1904) as [number, number];
  const [thisYear, thisMonth] = partsOfDate(today, isFrom1904) as [number, number];
  const quarter = (of: number, at: number) => of * 4 + Math.floor((at - 1) / 3);
  const [, part, number] = /^([MQ])(\d+)$/.exec(type) ?? [];
  if (part === 'M') return month === Number(number);
  if (part === 'Q') return Math.floor((month - 1) / 3) + 1 === Number(number);
  const shift = type.startsWith('last') ? -1 : type.startsWith('next') ? 1 : 0;
  if (type.endsWith('Quarter')) return quarter(year, month) === quarter(thisYear, thisMonth) + shift;
  if (type.endsWith('Year')) return year === thisYear + shift;
  if (type === 'yearToDate') return year === thisYear && Math.floor(value) <= today;
  return isInPeriod(value, type, today, isFrom1904);
}
