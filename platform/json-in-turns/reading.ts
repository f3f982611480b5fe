import { randomUUID } from 'node:crypto';
import { longCharacters } from '../ports/peer.ts';
import type { Turn } from './turn.ts';

/** A JSON text, or its UTF-8. A long one is cheaper as it came: to turn all of it into characters is a long piece of work. */
export type JsonText = string | Buffer;

const quotationMark = 0x22;
const backslash = 0x5c;
const letterU = 0x75;
const colon = 0x3a;
const spaces = [0x20, 0x09, 0x0a, 0x0d];

/** Units of UTF-16, or bytes. Those of the signs of JSON are the same, and no other character has them. */
interface Units {
  readonly length: number;
  at(place: number): number;
  /** The first place of a sign from another one on, or the length. */
  find(sign: '"' | '\\', from: number): number;
  /** Whether a unit begins a character, or half of one that can be read by itself. */
  isBegin(unit: number): boolean;
  text(from: number, end: number): string;
}

class StringUnits implements Units {
  readonly length: number;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.length = text.length;
  }

  at(place: number): number {
    return this.#text.charCodeAt(place);
  }

  find(sign: '"' | '\\', from: number): number {
    const place = this.#text.indexOf(sign, from);
    return place < 0 ? this.length : place;
  }

  isBegin(): boolean {
    return true;
  }

  text(from: number, end: number): string {
    return this.#text.slice(from, end);
  }
}

class ByteUnits implements Units {
  readonly length: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.length = bytes.length;
  }

  at(place: number): number {
    return this.#bytes[place]!;
  }

  find(sign: '"' | '\\', from: number): number {
    const place = this.#bytes.indexOf(sign, from, 'latin1');
    return place < 0 ? this.length : place;
  }

  isBegin(byte: number): boolean {
    return (byte & 0xc0) !== 0x80;
  }

  text(from: number, end: number): string {
    return this.#bytes.toString('utf8', from, end);
  }
}

/** So many units behind an escape are looked at one by one: where there is one, the next is often near. */
const nearUnits = 32;

/** Goes through the strings of a JSON text. */
class StringScan {
  readonly units: Units;
  /** The next signs, as far as it was looked for them. */
  #mark = -1;
  #backslash = -1;

  constructor(units: Units) {
    this.units = units;
  }

  /** Where the string ends that `from` is in, or where it may be cut, from `limit` on; the end of the text where neither is. */
  endOrCut(from: number, limit: number): number {
    const { units } = this;
    const { length } = units;
    for (let place = from; place < length; ) {
      const unit = units.at(place);
      if (unit === quotationMark || (place >= limit && units.isBegin(unit))) return place;
      if (unit === backslash) {
        // An escape is `\n` or `\u0041`: none is cut in two.
        place = this.#near(place + (units.at(place + 1) === letterU ? 6 : 2));
        continue;
      }
      if (this.#mark < place) this.#mark = units.find('"', place);
      if (this.#backslash < place) this.#backslash = units.find('\\', place);
      const sign = Math.min(this.#mark, this.#backslash);
      place = place < limit ? Math.min(sign, limit) : place + 1;
    }
    return length;
  }

  /** The next place, from one on, of a sign or of what is farther away. */
  #near(from: number): number {
    const { units } = this;
    const end = Math.min(from + nearUnits, units.length);
    let place = from;
    for (; place < end; place += 1) {
      const unit = units.at(place);
      if (unit === quotationMark || unit === backslash) break;
    }
    return place;
  }
}

/** A string of a JSON text: where its marks are, and what it says where it is long. */
interface FoundString {
  readonly start: number;
  /** Behind its last mark. */
  readonly end: number;
  readonly long: string | null;
}

/** Finds the strings of a JSON text, one after the other, and reads the long ones, in turns. */
class StringReader {
  readonly units: Units;
  readonly #scan: StringScan;
  readonly #turn: Turn;
  #at = 0;
  #turnFrom = 0;

  constructor(text: JsonText, turn: Turn) {
    this.units = typeof text === 'string' ? new StringUnits(text) : new ByteUnits(text);
    this.#scan = new StringScan(this.units);
    this.#turn = turn;
  }

  /** The next string; null: there is none. Rejects with a `SyntaxError` where it does not end, or a long one is wrong. */
  async next(): Promise<FoundString | null> {
    const { units } = this;
    const start = units.find('"', this.#at);
    if (start === units.length) return null;
    const pieces: string[] = [];
    let from = start + 1;
    const stop = () => this.#scan.endOrCut(from, from + longCharacters);
    let to = stop();
    for (; to < units.length && units.at(to) !== quotationMark; to = stop()) {
      pieces.push(await this.#read(from, to));
      from = to;
    }
    if (to >= units.length) throw new SyntaxError('a string does not end');
    const isLong = pieces.length > 0;
    if (isLong && to > from) pieces.push(await this.#read(from, to));
    this.#at = to + 1;
    if (this.#at - this.#turnFrom > longCharacters) await this.#nextTurn(this.#at);
    return { start, end: this.#at, long: isLong ? pieces.join('') : null };
  }

  async #read(from: number, to: number): Promise<string> {
    const piece = JSON.parse(`"${this.units.text(from, to)}"`) as string;
    await this.#nextTurn(to);
    return piece;
  }

  async #nextTurn(place: number): Promise<void> {
    await this.#turn();
    this.#turnFrom = place;
  }
}

/** A JSON text in which short strings stand for the long ones. */
export interface FoldedJson {
  readonly text: string;
  /** Puts the long strings back into the value that the text was parsed to, in place. */
  unfold(value: unknown): unknown;
}

/** Whether the string that ends at a place is the name of a member. */
function isName(units: Units, end: number): boolean {
  let place = end;
  while (place < units.length && spaces.includes(units.at(place))) place += 1;
  return units.at(place) === colon;
}

/**
 * Reads the long strings of a JSON text in turns; what is left is short where they are what makes it long. Null where it
 * has none, or is no JSON.
 */
export async function foldJson(text: JsonText, turn: Turn): Promise<FoldedJson | null> {
  const mark = randomUUID();
  const strings = new Map<string, string>();
  const reader = new StringReader(text, turn);
  const { units } = reader;
  const rest: string[] = [];
  let copied = 0;
  try {
    for (let one = await reader.next(); one; one = await reader.next()) {
      if (one.long === null || isName(units, one.end)) continue;
      const place = `${mark}${strings.size}`;
      strings.set(place, one.long);
      rest.push(units.text(copied, one.start), `"${place}"`);
      copied = one.end;
    }
  } catch {
    return null;
  }
  if (strings.size === 0) return null;
  rest.push(units.text(copied, units.length));
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
  const reader = new StringReader(text, turn);
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
  for (let one = await reader.next(); one; one = await reader.next()) {
    if (!(read === 0 ? begin : between).test(text.slice(read, one.start)))
      throw new SyntaxError('no list of strings');
    if (one.end - group.from > longCharacters) await readGroup();
    if (one.long !== null) strings.push(one.long);
    else group = { from: group.to === 0 ? one.start : group.from, to: one.end };
    read = one.end;
  }
  if (read === 0 || !end.test(text.slice(read))) throw new SyntaxError('no list of strings');
  await readGroup();
  return strings;
}
