/** A time that a host names: so many units since 1970, and how many of them are a second. */
interface HostTime {
  units: bigint;
  unitsPerSecond: bigint;
}

const isoForm =
  /^\s*(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,12}))?\s*(Z|[+-]\d{2}(?::?\d{2})?)?\s*$/i;
const mailForm = /^\s*[A-Za-z]{3}, \d{1,2} [A-Za-z]{3} \d{4} /;
const millisecondsPerSecond = 1_000;

/** Reads ISO 8601 (UTC where it names no zone) and the form of HTTP; null for anything else. */
function readHostTime(text: string): HostTime | null {
  const [, day, clock, fraction = '', zone = 'Z'] = isoForm.exec(text) ?? [];
  if (day === undefined && !mailForm.test(text)) return null;
  const offset = /^[+-]\d{2}$/.test(zone) ? `${zone}:00` : zone.toUpperCase();
  const atMs = Date.parse(day === undefined ? text : `${day}T${clock}${offset}`);
  if (Number.isNaN(atMs)) return null;
  const unitsPerSecond = 10n ** BigInt(fraction.length);
  const units = BigInt(atMs / millisecondsPerSecond) * unitsPerSecond + BigInt(fraction || 0);
  return { units, unitsPerSecond };
}

/**
 * Whether two texts of a host name the same time. Hosts write one time in several forms: with another zone, or with fewer digits
 * of a second, cut off or rounded. A text that is no time is the same as itself alone.
 */
export function isSameTime(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [readHostTime(one), readHostTime(other)];
  if (!a || !b) return false;
  if (a.unitsPerSecond === b.unitsPerSecond) return a.units === b.units;
  const [fine, coarse] = a.unitsPerSecond > b.unitsPerSecond ? [a, b] : [b, a];
  const unit = fine.unitsPerSecond / coarse.unitsPerSecond;
  const difference = fine.units - coarse.units * unit;
  return difference > -unit && difference < unit;
}
