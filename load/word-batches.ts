import { sharedNowMs, stampDigits, stampMark, stampOf } from './clock.ts';
import { type Batches, saveMessage } from './saver.ts';
import { type Prepared, prepare, type TransportName } from './wire/frames.ts';

/** An author in a text: a number in base 36. */
const authorDigits = 6;
const serialDigits = 6;
const authorPlace = 'A'.repeat(authorDigits);
const serialPlace = '#'.repeat(serialDigits);
const stampPlace = '%'.repeat(stampDigits);

export const authorName = (number: number): string => number.toString(36).padStart(authorDigits, '0');

/** The letter that a change types, which is not the first of its save. */
const letterOf = (change: number): string => String.fromCharCode(97 + ((change - 1) % 26));

/** What the first change of a save types. */
const markOf = (author: string, serial: string): string => `[${author}.${serial}]`;

/**
 * What a save leaves in the text: all its changes type at the beginning of the document, so the last one stands first.
 */
export function tracesOf(author: string, serial: number, changesPerSave: number): string {
  return lettersOf(changesPerSave) + markOf(author, String(serial).padStart(serialDigits, '0'));
}

export const lettersOf = (changesPerSave: number): string =>
  Array.from({ length: changesPerSave - 1 }, (_, number) => letterOf(changesPerSave - 1 - number)).join('');

/** Marks of saves in a text, with author and serial number. */
export const marks = (): RegExp => /\[([0-9a-z]{6})\.(\d{6})\]/y;

const changesOf = (changesPerSave: number): string[] =>
  Array.from({ length: changesPerSave }, (_, number) =>
    JSON.stringify({
      // The first change says when the save was sent.
      c: `${authorPlace}-${serialPlace}${number === 0 ? `${stampMark}${stampPlace}` : ''}`,
      n: number + 1,
      s: {
        stepType: 'replace',
        from: 1,
        to: 1,
        slice: {
          content: [
            { type: 'text', text: number === 0 ? markOf(authorPlace, serialPlace) : letterOf(number) },
          ],
        },
      },
    }),
  );

interface Template {
  frame: Prepared;
  authorsAt: number[];
  serialsAt: number[];
  stampAt: number;
}

/** All places at which a text stands. */
function placesOf(frame: Prepared, text: string): number[] {
  const places: number[] = [];
  for (let at = frame.indexOf(text); at !== -1; at = frame.indexOf(text, at + text.length)) places.push(at);
  return places;
}

/**
 * Makes the saves of people who type at the beginning of a text document, where a change fits whatever others have done
 * meanwhile. One frame is kept for all of them; each save is a copy with author, serial number and time written over it.
 */
export class WordBatches {
  readonly changesPerSave: number;
  readonly #template: Template;

  constructor(transport: TransportName, changesPerSave: number) {
    this.changesPerSave = changesPerSave;
    const frame = prepare(transport, saveMessage(changesOf(changesPerSave)));
    this.#template = {
      frame,
      authorsAt: placesOf(frame, authorPlace),
      serialsAt: placesOf(frame, serialPlace),
      stampAt: frame.indexOf(stampPlace),
    };
  }

  /** The saves of one person. */
  of(author: string): Batches {
    const { frame, authorsAt, serialsAt, stampAt } = this.#template;
    return {
      changesPerSave: this.changesPerSave,
      frameOf(serial) {
        const own = Buffer.from(frame);
        const number = String(serial).padStart(serialDigits, '0');
        for (const at of authorsAt) own.write(author, at, 'latin1');
        for (const at of serialsAt) own.write(number, at, 'latin1');
        own.write(stampOf(sharedNowMs()), stampAt, 'latin1');
        return own;
      },
    };
  }
}
