import { authorPlace, FrameTemplate, letterOf, markOf, serialName, serialPlace } from './frame-template.ts';
import type { Batches } from './saver.ts';
import type { TransportName } from './wire/frames.ts';

/**
 * What a save leaves in the text: all its changes type at the beginning of the document, so the last one stands first.
 */
export function tracesOf(author: string, serial: number, changesPerSave: number): string {
  return lettersOf(changesPerSave) + markOf(author, serialName(serial));
}

export const lettersOf = (changesPerSave: number): string =>
  Array.from({ length: changesPerSave - 1 }, (_, number) => letterOf(changesPerSave - 1 - number)).join('');

/** Marks of saves in a text, with author and serial number. */
export const marks = (): RegExp => /\[([0-9a-z]{6})\.(\d{6})\]/y;

/**
 * Makes the saves of people who type at the beginning of a text document, where a change fits whatever others have done
 * meanwhile.
 */
export class WordBatches {
  readonly changesPerSave: number;
  readonly #template: FrameTemplate;

  constructor(transport: TransportName, changesPerSave: number) {
    this.changesPerSave = changesPerSave;
    const steps = Array.from({ length: changesPerSave }, (_, number) => {
      const text = number === 0 ? markOf(authorPlace, serialPlace) : letterOf(number);
      return { stepType: 'replace', from: 1, to: 1, slice: { content: [{ type: 'text', text }] } };
    });
    this.#template = new FrameTemplate(transport, steps);
  }

  /** The saves of one person. */
  of(author: string): Batches {
    return {
      changesPerSave: this.changesPerSave,
      frameOf: (serial) => this.#template.frameOf(author, serial),
    };
  }
}
