/** The bound of the first pause, and that which no later one exceeds, milliseconds. */
const pauses = { firstMs: 1_000, longestMs: 30_000 } as const;

/**
 * How long somebody who was not let in, or was cut off, stays away: as long as the server asks for, and on top a time drawn
 * from zero to a bound that doubles with each failure (exponential backoff with full jitter), so that those who were refused
 * together do not come again together.
 *
 * @param failures how often in a row it went wrong, from 1
 */
export const pauseAfter = (failures: number, retryAfterMs: number, random: () => number): number =>
  retryAfterMs + random() * Math.min(pauses.longestMs, pauses.firstMs * 2 ** (failures - 1));
