import { readablePart } from '../package/related-part.ts';
import type { DocxSource } from './docx-source.ts';

const PARAGRAPH_ID = /\b\w+:paraId\s*=\s*["']([0-9A-Fa-f]{8})["']/g;
/** Ids are below this ([MS-DOCX] 2.6.2.3). */
const END = 0x8000_0000;

/** Makes values of `w14:paraId` that no paragraph of the package has. */
export class ParagraphIds {
  readonly #used = new Set<number>();
  #last: number;

  constructor(source: DocxSource) {
    const { xml, comments, shownParts, package: opened } = source;
    const shown = [...shownParts.values()].map(({ partName }) => readablePart(opened, partName));
    let highest = 0;
    for (const text of [xml, comments.xml, comments.states.xml, ...shown].map((part) => part?.text ?? '')) {
      for (const [, digits] of text.matchAll(PARAGRAPH_ID)) {
        const id = Number.parseInt(digits!, 16);
        this.#used.add(id);
        highest = Math.max(highest, id);
      }
    }
    this.#last = highest < END / 2 ? highest : 0;
  }

  next(): string {
    do this.#last++;
    while (this.#used.has(this.#last));
    return this.#last.toString(16).toUpperCase().padStart(8, '0');
  }
}
