/** The field of a comment is there at the latest after this time; after it, keys belong to the text again. */
const longestWaitMs = 10_000;

/** What was typed for a comment before its field was there. */
export interface Ahead {
  text: string;
  /** Whether the keys that send a comment were among it. */
  isSent: boolean;
}

/**
 * What somebody types after they have begun a comment and before its field has the focus: it belongs to the comment,
 * and must not replace the text that they selected.
 */
export class TypedAhead {
  #until = 0;
  #ahead: Ahead = { text: '', isSent: false };

  begin(): void {
    this.#until = Date.now() + longestWaitMs;
    this.#ahead = { text: '', isSent: false };
  }

  /** Whether a key is for the comment that is about to be written. */
  hear({ key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>): boolean {
    if (Date.now() > this.#until) return false;
    const ahead = this.#ahead;
    if (ahead.isSent) return true;
    const isCommand = ctrlKey || metaKey;
    if (isCommand) ahead.isSent = key === 'Enter';
    else if (key === 'Enter') ahead.text += '\n';
    else if (key === 'Backspace') ahead.text = [...ahead.text].slice(0, -1).join('');
    else if ([...key].length === 1) ahead.text += key;
    return true;
  }

  /** The field is there: what was typed for it. */
  take(): Ahead {
    this.#until = 0;
    return this.#ahead;
  }
}
