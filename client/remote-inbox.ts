import type { LoggedChange } from './change-sequence.ts';

/**
 * Changes that are this client's to apply and not applied yet: those of a save that is still arriving, and
 * everything while the application loads the document. Contiguous; bounded in characters.
 */
export class RemoteInbox {
  readonly #maxChars: number;
  readonly #apply: (changes: LoggedChange[], fromIndex: number) => void;
  #changes: LoggedChange[] = [];
  #fromIndex = 0;
  #chars = 0;
  #held = true;

  constructor(maxChars: number, apply: (changes: LoggedChange[], fromIndex: number) => void) {
    this.#maxChars = maxChars;
    this.#apply = apply;
  }

  /**
   * False if there is no room while the application loads. Afterwards a save that outgrows the bound is
   * applied in pieces.
   */
  add(changes: readonly LoggedChange[], fromIndex: number): boolean {
    if (changes.length === 0) return true;
    if (this.#changes.length === 0) this.#fromIndex = fromIndex;
    for (const change of changes) {
      this.#changes.push(change);
      this.#chars += change.change.length;
    }
    if (this.#chars > this.#maxChars) this.flush();
    return this.#chars <= this.#maxChars;
  }

  /** Applies what is there, unless the application is still loading. */
  flush(): void {
    if (this.#held || this.#changes.length === 0) return;
    const changes = this.#changes;
    this.clear();
    this.#apply(changes, this.#fromIndex);
  }

  /** The application has loaded the document. */
  release(): void {
    this.#held = false;
    this.flush();
  }

  clear(): void {
    this.#changes = [];
    this.#chars = 0;
  }
}
