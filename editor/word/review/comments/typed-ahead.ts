/** The field of a comment is there at the latest after this time. */
const longestWaitMs = 1_000;

/**
 * What somebody types after they have begun a comment and before its field has the focus: it belongs to the comment,
 * and must not replace the text that they selected.
 */
export class TypedAhead {
  #until = 0;
  #text = '';

  begin(): void {
    this.#until = Date.now() + longestWaitMs;
    this.#text = '';
  }

  /** Whether a key is for the comment that is about to be written. */
  hear({ key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>): boolean {
    if (Date.now() > this.#until) return false;
    if ([...key].length === 1 && !ctrlKey && !metaKey) this.#text += key;
    return true;
  }

  /** The field is there: what was typed for it. */
  take(): string {
    this.#until = 0;
    return this.#text;
  }
}
