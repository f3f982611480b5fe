import { days1904, daysTo1970 } from '../../../model/calculation/serial-days.ts';

/** The stretches of time that a conditional format can ask for, as xlsx calls them. */
export const datePeriods = [
  'today',
  'yesterday',
  'tomorrow',
  'last7Days',
  'thisWeek',
  'lastWeek',
  'nextWeek',
  'thisMonth',
  'lastMonth',
  'nextMonth',
] as const;

const msPerDay = 86_400_000;

/** The serial number of a day as it is on the clock of whoever looks. */
export function serialOfDay(date: Date, isFrom1904: boolean): number {
  const days = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / msPerDay + daysTo1970;
  return isFrom1904 ? days - days1904 : days;
}

/** Whether a day with a time is in a stretch of time. Weeks begin on Sunday, as in Excel. */
export function isInPeriod(value: number, period: string, today: number, isFrom1904: boolean): boolean {
  const day = Math.floor(value);
  // Serial number 1 was a Sunday by the count from 1900, which is right from March 1900 on.
  const week = today - ((((today + (isFrom1904 ? days1904 : 0) - 1) % 7) + 7) % 7);
  const monthOf = (serial: number) => {
    const date = new Date((serial + (isFrom1904 ? days1904 : 0) - daysTo1970) * msPerDay);
    return date.getUTCFullYear() * 12 + date.getUTCMonth();
  };
  const within = (from: number, to: number) => day >= from && day <= to;
  switch (period) {
    case 'today':
      return day === today;
    case 'yesterday':
      return day === today - 1;
    case 'tomorrow':
      return day === today + 1;
    case 'last7Days':
      return within(today - 6, today);
    case 'thisWeek':
      return within(week, week + 6);
    case 'lastWeek':
      return within(week - 7, week - 1);
    case 'nextWeek':
      return within(week + 7, week + 13);
    case 'thisMonth':
      return monthOf(day) === monthOf(today);
    case 'lastMonth':
      return monthOf(day) === monthOf(today) - 1;
    case 'nextMonth':
      return monthOf(day) === monthOf(today) + 1;
    default:
      return false;
  }
}
