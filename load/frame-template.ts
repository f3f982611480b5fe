import { sharedNowMs, stampDigits, stampMark, stampOf } from './clock.ts';
import { saveMessage } from './saver.ts';
import { type Prepared, prepare, type TransportName } from './wire/frames.ts';

/** An author in a change: a number in base 36. */
const authorDigits = 6;
const serialDigits = 6;
export const authorPlace = 'A'.repeat(authorDigits);
export const serialPlace = '#'.repeat(serialDigits);
const stampPlace = '%'.repeat(stampDigits);

export const authorName = (number: number): string => number.toString(36).padStart(authorDigits, '0');
export const serialName = (serial: number): string => String(serial).padStart(serialDigits, '0');

/** What the first change of a save writes. */
export const markOf = (author: string, serial: string): string => `[${author}.${serial}]`;

/** The letter that a change writes, which is not the first of its save. */
export const letterOf = (change: number): string => String.fromCharCode(97 + ((change - 1) % 26));

/** A change of the log; the first of a save says when the save was sent. */
const changeOf = (step: object, number: number): string =>
  JSON.stringify({
    c: `${authorPlace}-${serialPlace}${number === 0 ? `${stampMark}${stampPlace}` : ''}`,
    n: number + 1,
    s: step,
  });

/** All places at which a text stands. */
function placesOf(frame: Prepared, text: string): number[] {
  const places: number[] = [];
  for (let at = frame.indexOf(text); at !== -1; at = frame.indexOf(text, at + text.length)) places.push(at);
  return places;
}

/**
 * One frame for all saves of a load: each save is a copy with author, serial number and time written over it.
 * @param steps one for each change of a save; they have the places of author and serial number in their texts
 * @param others further texts that are written over, by a text of the same length
 */
export class FrameTemplate {
  readonly #frame: Prepared;
  readonly #authorsAt: readonly number[];
  readonly #serialsAt: readonly number[];
  readonly #stampAt: number;
  readonly #othersAt: ReadonlyMap<string, readonly number[]>;

  constructor(transport: TransportName, steps: readonly object[], others: readonly string[] = []) {
    const frame = prepare(transport, saveMessage(steps.map(changeOf)));
    this.#frame = frame;
    this.#authorsAt = placesOf(frame, authorPlace);
    this.#serialsAt = placesOf(frame, serialPlace);
    this.#stampAt = frame.indexOf(stampPlace);
    this.#othersAt = new Map(others.map((text) => [text, placesOf(frame, text)]));
  }

  /** @param others what stands in the place of each of the further texts, in their order of appearance */
  frameOf(
    author: string,
    serial: number,
    others: ReadonlyMap<string, (appearance: number) => string> = new Map(),
  ): Prepared {
    const own = Buffer.from(this.#frame);
    for (const at of this.#authorsAt) own.write(author, at, 'latin1');
    for (const at of this.#serialsAt) own.write(serialName(serial), at, 'latin1');
    for (const [place, textOf] of others) {
      for (const [appearance, at] of this.#othersAt.get(place)!.entries())
        own.write(textOf(appearance), at, 'latin1');
    }
    own.write(stampOf(sharedNowMs()), this.#stampAt, 'latin1');
    return own;
  }
}
