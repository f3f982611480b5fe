/** Days from 1899-12-30, which is number 0 of the serial numbers after February 1900, to 1970-01-01. */
const DAYS_TO_1970 = 25_569;
/** Days by which serial numbers that count from 1904 are lower. */
const BEHIND_1904 = 1_462;
const DAY_MS = 86_400_000;

/**
 * The local date and time as a serial number of days, to the second.
 * @param nowMs milliseconds since 1970
 * @param timeZone an IANA name; UTC where it is unknown
 */
export function localSerial(nowMs: number, timeZone: string, from1904: boolean): number {
  const days = Math.floor(localMs(nowMs, timeZone) / 1000) / (DAY_MS / 1000) + DAYS_TO_1970;
  return from1904 ? days - BEHIND_1904 : days;
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
