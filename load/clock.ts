/**
 * Time that all processes of this machine share, milliseconds: of the monotonic clock, so that a message's time can be read
 * in another process than the one that sent it.
 */
export const sharedNowMs = (): number => performance.now() + offsetMs;

const offsetMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Digits of a time in a message: microseconds of the shared clock. */
export const stampDigits = 16;

export const stampOf = (sharedMs: number): string =>
  String(Math.round(sharedMs * 1_000)).padStart(stampDigits, '0');

/** Marks a stamp in a message; nothing else that generators send has this sign. */
export const stampMark = '@';

/** The time in a message, milliseconds of the shared clock; NaN when it has none. */
export function stampIn(data: Buffer): number {
  const at = data.indexOf(stampMark) + 1;
  return at === 0 ? Number.NaN : Number(data.toString('latin1', at, at + stampDigits)) / 1_000;
}
