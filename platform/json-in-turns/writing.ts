import { longCharacters } from '../ports/peer.ts';
import { shortPieces } from './pieces.ts';
import type { Turn } from './turn.ts';

/**
 * JSON of a text without its quotes, in pieces. Between two of them others have a turn.
 *
 * Pieces are joined once, by whoever puts the whole text together: a string of strings is copied as soon as something reads
 * it, which for millions of characters takes as long as to make them.
 */
async function* quotedPieces(text: string, turn: Turn): AsyncGenerator<string, void, undefined> {
  // Half of a character would be escaped.
  for (const piece of shortPieces(text)) {
    yield JSON.stringify(piece).slice(1, -1);
    await turn();
  }
}

/** The same as `JSON.stringify(text)`, in parts that follow one on the other. Of a long text it is made in turns. */
export async function quotedInTurns(text: string, turn: Turn): Promise<string[]> {
  if (text.length <= longCharacters) return [JSON.stringify(text)];
  const parts = ['"'];
  for await (const piece of quotedPieces(text, turn)) parts.push(piece);
  parts.push('"');
  return parts;
}

/** Puts parts together, unless they are those of a text that is there already. */
class Joined {
  readonly #likely: string;
  /** As far as the parts are those of the likely text. */
  #at = 0;
  #parts: string[] | null = null;

  constructor(likely: string) {
    this.#likely = likely;
  }

  get isEmpty(): boolean {
    return this.#parts === null && this.#at === 0;
  }

  add(part: string): void {
    if (this.#parts === null && this.#likely.startsWith(part, this.#at)) this.#at += part.length;
    else {
      this.#parts ??= [this.#likely.slice(0, this.#at)];
      this.#parts.push(part);
    }
  }

  toString(): string {
    return this.#parts === null ? this.#likely.slice(0, this.#at) : this.#parts.join('');
  }
}

/**
 * The same as `JSON.stringify(texts)`. Of many or long texts it is made in turns.
 * @param likely a text that it may be: where it is, no second one is made of what may be many megabytes
 */
export async function listInTurns(texts: readonly string[], turn: Turn, likely = ''): Promise<string> {
  const list = new Joined(likely);
  const addList = (some: readonly string[]) => {
    list.add(list.isEmpty ? '[' : ',');
    list.add(JSON.stringify(some).slice(1, -1));
  };
  let characters = 0;
  let fromNumber = 0;
  for (const [number, text] of texts.entries()) {
    characters += text.length;
    if (characters <= longCharacters) continue;
    if (fromNumber < number) addList(texts.slice(fromNumber, number));
    list.add(list.isEmpty ? '["' : ',"');
    for await (const piece of quotedPieces(text, turn)) list.add(piece);
    list.add('"');
    fromNumber = number + 1;
    characters = 0;
  }
  if (list.isEmpty) return JSON.stringify(texts);
  if (fromNumber < texts.length) addList(texts.slice(fromNumber));
  list.add(']');
  return list.toString();
}
