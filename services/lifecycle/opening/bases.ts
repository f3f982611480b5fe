import { ServiceError } from '../../../client/protocol/index.ts';
import { codePageOf } from '../../../converter/engines/x2t/encodings.ts';
import type { ConversionTable } from '../../../converter/formats/conversion-table.ts';
import { baseType, isOwnType, opensInWord } from '../../../converter/formats/kind-formats.ts';
import type { OpeningOptions } from '../../../converter/jobs/opening-options.ts';
import { statedCodePage } from '../../../converter/text/text-encoding.ts';
import type { TurnOwner } from '../../../db/job-turns.ts';
import type { BlobStore } from '../../../platform/ports/blob-store.ts';
import type { Conversions } from '../conversions.ts';

export interface WordBasesDependencies {
  conversions: Conversions;
  table: Pick<ConversionTable, 'handles'>;
  blobs: Pick<BlobStore, 'read'>;
}

/** The docx that the word processor edits in place of a source; null where it edits the source itself. */
export type WordBase = { ok: true; baseHash: string | null } | { ok: false; errorCode: number };

/**
 * Makes the docx on which a document of another format, or one that is protected, is edited. Another conversion need not
 * give the same, so whoever opens a document first keeps what this gives in the document's row.
 */
export class WordBases {
  readonly #deps: WordBasesDependencies;

  constructor(dependencies: WordBasesDependencies) {
    this.#deps = dependencies;
  }

  /** `owner`: who the document belongs to; `onRecord`: hears under which id the conversion is on record. */
  async of(
    source: { sourceHash: string; fileType: string; owner?: TurnOwner },
    options: OpeningOptions,
    onRecord?: (id: string) => Promise<void>,
  ): Promise<WordBase> {
    const { sourceHash, fileType } = source;
    const { conversions, table } = this.#deps;
    const { password } = options;
    if (isOwnType(fileType) && password === undefined) return { ok: true, baseHash: null };
    if (!opensInWord(fileType, table)) return { ok: false, errorCode: ServiceError.convertUnknownFormat };
    const codePage = fileType === 'txt' ? await this.#codePageOf(sourceHash, options) : undefined;
    if (fileType === 'txt' && codePage === undefined) {
      return { ok: false, errorCode: ServiceError.convertNeedParams };
    }
    const made = await conversions.convert({
      ...{ sourceHash, fromType: fileType, toType: baseType },
      options: { password, codePage },
      ...{ isInteractive: true, isOpening: true },
      onRecord,
      ...(source.owner ? { owner: source.owner } : {}),
    });
    return made.ok ? { ok: true, baseHash: made.hash } : { ok: false, errorCode: made.errorCode };
  }

  /** Undefined where neither the text nor anybody says it. */
  async #codePageOf(sourceHash: string, { encoding }: OpeningOptions): Promise<number | undefined> {
    const said = encoding === undefined ? undefined : codePageOf(encoding);
    return said ?? statedCodePage(await this.#deps.blobs.read(sourceHash));
  }
}
