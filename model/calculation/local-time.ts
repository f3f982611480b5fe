import { days1904, daysTo1970 } from './serial-days.ts';

const DAY_MS = 86_400_000;

/**
 * The local date and time as a serial number of days, to the second.
 * @param nowMs milliseconds since 1970
 * @param timeZone an IANA name; UTC where it is unknown
 */
export function localSerial(nowMs: number, timeZone: string, from1904: boolean): number {
  const days = Math.floor(localMs(nowMs, timeZone) / 1000) / (DAY_MS / 1000) + daysTo1970;
  return from1904 ? days - days1904 : days;
}

function localMs(nowMs: number, timeZone: string): number {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return nowMs;
  }
  const part = Object.fromEntries(
    format.formatToParts(nowMs).map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute, part.second);
}
