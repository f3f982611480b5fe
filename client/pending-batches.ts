import type { LoggedChange } from './change-sequence.ts';
import { changeText } from './protocol/index.ts';

/** A part of a batch, ready to be sent. `changes` is the JSON text of its change strings. */
export interface BatchPart {
  changes: string;
  count: number;
  last: boolean;
}

/** Two quotes and a comma, escaped once more when the text becomes a field of a message. */
const charsPerChangeOverhead = 5;

/**
 * A batch the application gave and the server has not fully acknowledged. It belongs at `baseIndex`; both
 * ends of it move only by acknowledgement, so a resend is always the same changes at the same index.
 */
export class PendingBatch {
  readonly #changes: readonly string[];
  #firstUnacknowledged = 0;
  #baseIndex: number;
  /** True until a part of it was sent on this connection. */
  untouched = true;

  /** Goes with the last part. */
  readonly excelAdditionalInfo: string | null;

  constructor(changes: readonly string[], baseIndex: number, excelAdditionalInfo: string | null = null) {
    this.#changes = [...changes];
    this.excelAdditionalInfo = excelAdditionalInfo;
    this.#baseIndex = baseIndex;
  }

  /** Index of the first change that is not acknowledged. */
  get baseIndex(): number {
    return this.#baseIndex;
  }

  get unacknowledged(): string[] {
    return this.#changes.slice(this.#firstUnacknowledged);
  }

  get unacknowledgedCount(): number {
    return this.#changes.length - this.#firstUnacknowledged;
  }

  /** The next part: at least one change, more while their text stays within `maxChars`. */
  nextPart(maxChars: number): BatchPart {
    const texts: string[] = [];
    let chars = 0;
    for (let at = this.#firstUnacknowledged; at < this.#changes.length; at++) {
      const text = changeText(this.#changes[at]!);
      chars += text.length + charsPerChangeOverhead;
      if (texts.length > 0 && chars > maxChars) break;
      texts.push(text);
    }
    return {
      changes: `[${texts.join(',')}]`,
      count: texts.length,
      last: this.#firstUnacknowledged + texts.length === this.#changes.length,
    };
  }

  acknowledge(count: number): void {
    this.#firstUnacknowledged += count;
    this.#baseIndex += count;
  }

  /** How many of `changes`, which are stored at `fromIndex`, are the beginning of what is pending. */
  storedCount(changes: readonly LoggedChange[], fromIndex: number, user: string): number {
    if (fromIndex !== this.#baseIndex) return 0;
    const limit = Math.min(changes.length, this.unacknowledgedCount);
    let count = 0;
    while (count < limit) {
      const stored = changes[count]!;
      if (stored.user !== user || stored.change !== this.#changes[this.#firstUnacknowledged + count]) break;
      count += 1;
    }
    return count;
  }
}
