/** So many equal lines are written within a window before they are only counted. */
const writtenAtOnce = 5;
const windowMs = 60_000;
/** Most different lines that are remembered; beyond it the oldest are forgotten, and written again. */
const remembered = 1_000;

interface Repeated {
  written: number;
  /** How many were left out since the last line that was written. */
  leftOut: number;
  /** Writes the last one that was left out, with the count. */
  last: ((leftOut: number) => void) | null;
  timer: NodeJS.Timeout;
}

/**
 * Lets the first lines of a kind through and counts the others: after a minute the last one of these is written, with how many
 * there were. So a part that is away for an hour has some lines a minute, and none is lost from the count.
 */
export class RepeatedLines {
  readonly #lines = new Map<string, Repeated>();

  /**
   * Whether a line is written now. `same`: what lines have in common that say the same. `write` writes this one later, with the
   * number of lines that it stands for.
   */
  isWritten(same: string, write: (leftOut: number) => void): boolean {
    const known = this.#lines.get(same) ?? this.#remember(same);
    if (known.written < writtenAtOnce) {
      known.written += 1;
      return true;
    }
    known.leftOut += 1;
    known.last = write;
    return false;
  }

  #remember(same: string): Repeated {
    for (const [oldest] of this.#lines) {
      if (this.#lines.size < remembered) break;
      this.#close(oldest, false);
    }
    const timer = setTimeout(() => this.#close(same, true), windowMs);
    timer.unref();
    const line: Repeated = { written: 0, leftOut: 0, last: null, timer };
    this.#lines.set(same, line);
    return line;
  }

  /** Ends the window of a line: what was left out is written as one. A line that went on has the next window at once. */
  #close(same: string, goesOn: boolean): void {
    const line = this.#lines.get(same);
    if (!line) return;
    clearTimeout(line.timer);
    this.#lines.delete(same);
    if (!line.last) return;
    line.last(line.leftOut);
    // It is not begun anew with five lines: the next ones are counted from the first.
    if (goesOn) this.#remember(same).written = writtenAtOnce;
  }
}
