/** How numbers, days and amounts are written where texts become numbers and numbers texts. Formulas themselves are always English. */
export interface Conventions {
  readonly decimal: string;
  /** Between groups of digits. */
  readonly group: string;
  /** A day in short, as a number format; where it begins with `d` the day comes first. */
  readonly shortDate: string;
  /** The letters of number formats for day, month, year, hour, minute and second. */
  readonly letters: string;
  /** An amount and one below zero, with `#` where their digits stand. */
  readonly amounts: readonly [string, string];
  readonly months: readonly string[];
  readonly shortMonths: readonly string[];
  /** From Sunday. */
  readonly days: readonly string[];
  readonly shortDays: readonly string[];
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const short = (names: readonly string[]) => names.map((name) => name.slice(0, 3));

/** Those of the United States. */
export const english: Conventions = {
  ...{ decimal: '.', group: ',', shortDate: 'm/d/yyyy', letters: 'dmyhms', amounts: ['$#', '($#)'] },
  ...{ months, shortMonths: short(months), days, shortDays: short(days) },
};
