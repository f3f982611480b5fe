import { randomUUID } from 'node:crypto';
import { longCharacters } from '../ports/peer.ts';
import type { Turn } from './turn.ts';

/** After so many quotation marks that were found, the next are looked for in another turn. */
const marksAtOnce = 65_536;
const backslash = 0x5c;

/** How many backslashes stand one beside the other before a place, from another one on. */
function backslashesBefore(text: string, place: number, from = 0): number {
  let at = place;
  while (at > from && text.charCodeAt(at - 1) === backslash) at -= 1;
  return place - at;
}

/** Finds the strings of a JSON text, one after the other. */
class StringFinder {
  readonly #text: string;
  readonly #turn: Turn;
  #marks = 0;

  constructor(text: string, turn: Turn) {
    this.#text = text;
    this.#turn = turn;
  }

  /** Where the mark is that ends the string which begins before `from`; -1: nowhere. */
  async endFrom(from: number): Promise<number> {
    for (let at = this.#text.indexOf('"', from); at >= 0; at = this.#text.indexOf('"', at + 1)) {
      this.#marks += 1;
      if (this.#marks % marksAtOnce === 0) await this.#turn();
      if (backslashesBefore(this.#text, at) % 2 === 0) return at;
    }
    return -1;
  }
}

/** An escape takes at most so many characters: `\u0041`. */
const escapeCharacters = 6;

/** The first place from `place` on where no escape of a string is cut in two; at `from`, before it, none is. */
function betweenEscapes(text: string, from: number, place: number): number {
  const nearest = Math.max(from, place - escapeCharacters);
  const last = nearest + text.slice(nearest, place).lastIndexOf('\\');
  if (last < nearest || backslashesBefore(text, last + 1, from) % 2 === 0) return place;
  return Math.max(place, last + (text[last + 1] === 'u' ? escapeCharacters : 2));
}

/** What the JSON string between two places is, without its marks. Throws where it is none. */
async function stringInTurns(text: string, from: number, end: number, turn: Turn): Promise<string> {
  const pieces: string[] = [];
  for (let at = from; at < end; await turn()) {
    const next = Math.min(end, betweenEscapes(text, at, at + longCharacters));
    pieces.push(JSON.parse(`"${text.slice(at, next)}"`) as string);
    at = next;
  }
  return pieces.join('');
}

/** A JSON text in which short strings stand for the long ones. */
export interface FoldedJson {
  readonly text: string;
  /** Puts the long strings back into the value that the text was parsed to, in place. */
  unfold(value: unknown): unknown;
}

/** Whether the string that ends at a mark is the name of a member. */
function isName(text: string, end: number): boolean {
  const colon = /[ \t\n\r]*:/y;
  colon.lastIndex = end + 1;
  return colon.test(text);
}

/**
 * Reads the long strings of a JSON text in turns; what is left is short where they are what makes it long. Null where it
 * has none, or is no JSON.
 */
export async function foldJson(text: string, turn: Turn): Promise<FoldedJson | null> {
  const mark = randomUUID();
  const strings = new Map<string, string>();
  const finder = new StringFinder(text, turn);
  const rest: string[] = [];
  let copied = 0;
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = await finder.endFrom(start + 1);
    if (end < 0) return null;
    if (end - start > longCharacters && !isName(text, end)) {
      const place = `${mark}${strings.size}`;
      try {
        strings.set(place, await stringInTurns(text, start + 1, end, turn));
      } catch {
        return null;
      }
      rest.push(text.slice(copied, start), `"${place}"`);
      copied = end + 1;
    }
    start = text.indexOf('"', end + 1);
  }
  if (strings.size === 0) return null;
  rest.push(text.slice(copied));
  return { text: rest.join(''), unfold: (value) => withStrings(value, strings) };
}

function withStrings(value: unknown, strings: ReadonlyMap<string, string>): unknown {
  const holder = { value };
  const holders: object[] = [holder];
  for (let next = holders.pop(); next; next = holders.pop()) {
    const members = next as Record<string, unknown>;
    for (const name of Object.keys(members)) {
      const member = members[name];
      const string = typeof member === 'string' ? strings.get(member) : undefined;
      if (string !== undefined) members[name] = string;
      else if (typeof member === 'object' && member !== null) holders.push(member);
    }
  }
  return holder.value;
}

const begin = /^[ \t\n\r]*\[[ \t\n\r]*$/;
const between = /^[ \t\n\r]*,[ \t\n\r]*$/;
const end = /^[ \t\n\r]*\][ \t\n\r]*$/;

/**
 * What the JSON text of a list of strings says, where the text is long: it is read in turns. Throws a `SyntaxError` where it is
 * anything else.
 */
export async function stringsInTurns(text: string, turn: Turn): Promise<string[]> {
  const strings: string[] = [];
  const finder = new StringFinder(text, turn);
  /** The short strings that are read together. */
  let group = { from: 0, to: 0 };
  const readGroup = async () => {
    if (group.to === group.from) return;
    const read = JSON.parse(`[${text.slice(group.from, group.to)}]`) as string[];
    for (const one of read) strings.push(one);
    group = { from: 0, to: 0 };
    await turn();
  };
  let read = 0;
  for (let from = text.indexOf('"'); from >= 0; from = text.indexOf('"', read)) {
    if (!(read === 0 ? begin : between).test(text.slice(read, from)))
      throw new SyntaxError('no list of strings');
    const to = (await finder.endFrom(from + 1)) + 1;
    if (to === 0) throw new SyntaxError('a string does not end');
    if (to - group.from > longCharacters) await readGroup();
    if (to - from > longCharacters) strings.push(await stringInTurns(text, from + 1, to - 1, turn));
    else group = { from: group.to === 0 ? from : group.from, to };
    read = to;
  }
  if (read === 0 || !end.test(text.slice(read))) throw new SyntaxError('no list of strings');
  await readGroup();
  return strings;
}
