import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { blankDocx } from '../../converter/engines/ooxml/docx/blank-docx.ts';

/** Formats of which x2t brings an empty file with it. */
const fromX2t = new Set(['xlsx', 'pptx']);

/** New, empty documents for files of no size (integration API, 13.2). */
export class BlankFiles {
  readonly #x2tDirectory: string | null;

  /** `x2tDirectory`: where x2t is, if it is. */
  constructor(x2tDirectory: string | null) {
    this.#x2tDirectory = x2tDirectory;
  }

  /** Formats in which a new document can be made. */
  get extensions(): string[] {
    return this.#x2tDirectory === null ? ['docx'] : ['docx', ...fromX2t];
  }

  /** An empty document for a language (`de-DE`); null where there is none of this format. */
  async of(extension: string, lang = 'en-US'): Promise<Uint8Array | null> {
    if (extension === 'docx') return blankDocx(lang);
    if (this.#x2tDirectory === null || !fromX2t.has(extension)) return null;
    return readFile(path.join(this.#x2tDirectory, 'empty', `new.${extension}`)).catch(() => null);
  }
}
