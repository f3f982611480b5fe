import { documentFile } from '../../client/protocol/index.ts';
import { codePageOf } from '../../converter/engines/x2t/encodings.ts';
import { shownType } from '../../converter/formats/kind-formats.ts';
import type { OpeningOptions } from '../../converter/jobs/opening-options.ts';
import type { JobOwner } from '../../db/fair-queue.ts';
import type { OpenedSource, OpenedSources, SourceOpening } from '../../db/opened-sources.ts';
import type { Conversions } from './conversions.ts';

export interface ShownPagesDependencies {
  conversions: Pick<Conversions, 'convert'>;
  openedSources: Pick<OpenedSources, 'find' | 'store'>;
}

/** A source that is to be shown: its content, its type, and whose it is. */
export interface ShownSource extends SourceOpening {
  fileType: string;
  owner: JobOwner;
}

/**
 * The PDF that is shown of a document: the source itself where it is one (a protected PDF is opened by the browser, which
 * asks for the password), else what a conversion makes of it. Kept like other results of opening, by the content of the source.
 */
export class ShownPages {
  readonly #deps: ShownPagesDependencies;

  constructor(dependencies: ShownPagesDependencies) {
    this.#deps = dependencies;
  }

  /** `onRecord`: hears under which id the conversion is on record. */
  async of(
    source: ShownSource,
    { password, encoding, delimiter, delimiterChar }: OpeningOptions,
    onRecord?: (id: string) => Promise<void>,
  ): Promise<OpenedSource> {
    const { sourceHash, fileType, owner } = source;
    const { conversions, openedSources } = this.#deps;
    if (fileType === shownType) return { ok: true, files: { [documentFile]: sourceHash } };
    const known = await openedSources.find(source);
    if (known) return known;
    const codePage = encoding === undefined ? undefined : codePageOf(encoding);
    const made = await conversions.convert({
      ...{ sourceHash, fromType: fileType, toType: shownType, owner, onRecord },
      ...{ isInteractive: true, isOpening: true },
      options: { password, codePage, delimiter, delimiterChar },
    });
    if (!made.ok) return { ok: false, errorCode: made.errorCode };
    const opened: OpenedSource = { ok: true, files: { [documentFile]: made.hash } };
    await openedSources.store(source, opened);
    return opened;
  }
}
