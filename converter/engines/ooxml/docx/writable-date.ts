/** A date as ST_DateTime has it, or undefined for one that no calendar has: Word calls a file with such a date damaged. */
export function writableDate(date: string | null): string | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/.exec(date ?? '') ?? [];
  if (date === null || year === undefined) return undefined;
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isDay = at.getUTCMonth() + 1 === Number(month) && at.getUTCDate() === Number(day);
  return isTime && isDay && Number(year) >= 100 && isZone(date) ? date : undefined;
}

/** Offsets go to 14 hours (XML Schema Part 2, 3.2.7.3). */
function isZone(date: string): boolean {
  const [, hours, minutes] = /[+-](\d\d):(\d\d)$/.exec(date) ?? [];
  return hours === undefined || (Number(minutes) < 60 && Number(hours) * 60 + Number(minutes) <= 14 * 60);
}
