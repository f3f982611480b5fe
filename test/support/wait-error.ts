/**
 * A wait that took too long. Its message begins with “Waited for”, so that whoever reads a report, and the tools that do, can
 * tell it from something that came and was wrong.
 */
export class WaitError extends Error {
  override readonly name = 'WaitError';

  /**
   * @param what what was waited for
   * @param forMs for how long
   * @param more what is known besides
   * @param cause the last thing that failed
   */
  constructor(what: string, forMs: number, more: string, cause?: unknown) {
    super(`Waited for ${what}, ${forMs} ms in vain. ${more}`, { cause });
  }
}
