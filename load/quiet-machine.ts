/** So many seconds in a row have to be quiet. */
const quietForS = 10;

interface QuietOptions {
  /** Share of all cores that may be busy, 0 to 1. */
  atMost: number;
  /** How long it is waited for, seconds. */
  withinS: number;
  /** Share of all cores that were busy since the last call. */
  busyShare: () => number;
  /** Resolves a second later. */
  second: () => Promise<unknown>;
}

/**
 * Waits until nothing much runs on this machine, so that a load test does not measure what the one before has left to do.
 * Resolves with the seconds that it took; null when it was never quiet.
 */
export async function waitForQuiet({
  atMost,
  withinS,
  busyShare,
  second,
}: QuietOptions): Promise<number | null> {
  busyShare();
  let quietS = 0;
  for (let waitedS = 1; waitedS <= withinS; waitedS += 1) {
    await second();
    quietS = busyShare() <= atMost ? quietS + 1 : 0;
    if (quietS === quietForS) return waitedS;
  }
  return null;
}
