import { ServiceError } from '../../../client/protocol/index.ts';
import { codePageOf } from '../../../converter/engines/x2t/encodings.ts';
import { isPlain } from '../../../converter/engines/x2t/formats.ts';
import type { ConversionOptions } from '../../../converter/formats/conversion.ts';
import type { ConversionTable } from '../../../converter/formats/conversion-table.ts';
import { isOwnType, opensAs } from '../../../converter/formats/kind-formats.ts';
import type { OpeningOptions } from '../../../converter/jobs/opening-options.ts';
import { statedCodePage } from '../../../converter/text/text-encoding.ts';
import type { JobOwner } from '../../../db/fair-queue.ts';
import { type EditedKind, nativeTypeOf } from '../../../model/kinds.ts';
import type { BlobStore } from '../../../platform/ports/blob-store.ts';
import type { Conversions } from '../conversions.ts';

export interface BasesDependencies {
  conversions: Conversions;
  table: Pick<ConversionTable, 'handles'>;
  blobs: Pick<BlobStore, 'read'>;
}

/** The file of a native type that is edited in place of a source; null where the source itself is edited. */
export type Base = { ok: true; baseHash: string | null } | { ok: false; errorCode: number };

/**
 * Makes the file on which a document of another format, or one that is protected, is edited: of the native type of its kind.
 * Another conversion need not give the same, so the first opening of a document keeps what this gives in the document's row.
 */
export class Bases {
  readonly #deps: BasesDependencies;

  constructor(dependencies: BasesDependencies) {
    this.#deps = dependencies;
  }

  /** `owner`: who the document belongs to; `onRecord`: gets the id under which the conversion is recorded. */
  async of(
    kind: EditedKind,
    source: { sourceHash: string; fileType: string; owner?: JobOwner },
    options: OpeningOptions,
    onRecord?: (id: string) => Promise<void>,
  ): Promise<Base> {
    const { sourceHash, fileType } = source;
    const { conversions, table } = this.#deps;
    const { password } = options;
    if (isOwnType(kind, fileType) && password === undefined) return { ok: true, baseHash: null };
    if (!opensAs(kind, fileType, table)) return { ok: false, errorCode: ServiceError.convertUnknownFormat };
    const plain = isPlain(fileType) ? await this.#plainOptions(fileType, sourceHash, options) : {};
    if (!plain) return { ok: false, errorCode: ServiceError.convertNeedParams };
    const made = await conversions.convert({
      ...{ sourceHash, fromType: fileType, toType: nativeTypeOf(kind) },
      options: { password, ...plain },
      ...{ isInteractive: true, isOpening: true },
      onRecord,
      ...(source.owner ? { owner: source.owner } : {}),
    });
    return made.ok ? { ok: true, baseHash: made.hash } : { ok: false, errorCode: made.errorCode };
  }

  /**
   * How plain text is read; null where nobody has said what it does not say itself. What stands between the cells of a csv is
   * only guessed, so that is asked in any case.
   */
  async #plainOptions(
    fileType: string,
    sourceHash: string,
    { encoding, delimiter, delimiterChar }: OpeningOptions,
  ): Promise<ConversionOptions | null> {
    const said = encoding === undefined ? undefined : codePageOf(encoding);
    if (fileType === 'csv') return said === undefined ? null : { codePage: said, delimiter, delimiterChar };
    const codePage = said ?? statedCodePage(await this.#deps.blobs.read(sourceHash));
    return codePage === undefined ? null : { codePage };
  }
}
