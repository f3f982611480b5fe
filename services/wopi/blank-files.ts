import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { kinds, nativeTypeOf } from '../../model/kinds.ts';

/** Formats of which x2t brings an empty file with it, for kinds that no engine of ours makes files of. */
const fromX2t: ReadonlySet<string> = new Set(['xlsx', 'pptx']);

/** New, empty documents for files of no size (integration API, 13.2). */
export class BlankFiles {
  readonly #x2tDirectory: string | null;

  /** `x2tDirectory`: where x2t is, if it is. */
  constructor(x2tDirectory: string | null) {
    this.#x2tDirectory = x2tDirectory;
  }

  /** Formats in which a new document can be made. */
  get extensions(): string[] {
    const own = kinds.edited.map(nativeTypeOf);
    return this.#x2tDirectory === null ? own : [...new Set([...own, ...fromX2t])];
  }

  /** An empty document for a language (`de-DE`); null where there is none of this format. */
  async of(extension: string, lang = 'en-US'): Promise<Uint8Array | null> {
    const kind = kinds.edited.find((one) => nativeTypeOf(one) === extension);
    if (kind) {
      // Loaded late: engines are much code that a server seldom needs.
      const { engineOf } = await import('../../converter/engines/kind-engines.ts');
      return engineOf(kind.model.name).blank(extension, lang);
    }
    if (this.#x2tDirectory === null || !fromX2t.has(extension)) return null;
    return readFile(path.join(this.#x2tDirectory, 'empty', `new.${extension}`)).catch(() => null);
  }
}
