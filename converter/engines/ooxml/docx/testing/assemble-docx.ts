import type { SkippedChange } from '../../../../../model/log/change.ts';
import type { LogEntry } from '../../../../../model/log/change-author.ts';
import { applyChanges } from '../../../../../model/word/change.ts';
import { AuthorRules } from '../../../../../model/word/rights/author-rules.ts';
import type { AssembleOptions } from '../../../kind-engine.ts';
import { patchZip } from '../../package/zip-patcher.ts';
import { DocxSource } from '../docx-source.ts';
import { type WrittenDocx, writeDocx } from '../docx-writer.ts';

export interface AssembledDocx extends Pick<WrittenDocx, 'changed' | 'missingMedia'> {
  readonly bytes: Uint8Array;
  readonly applied: number;
  readonly skipped: SkippedChange[];
}

/** A whole log in the file that it began with, and more of what became of it than the engine tells. */
export function assembleDocx(
  bytes: Uint8Array,
  changes: readonly LogEntry[],
  { media = () => undefined }: Pick<AssembleOptions, 'media'> = {},
): AssembledDocx {
  const source = DocxSource.open(bytes);
  const { doc, applied, skipped } = applyChanges(source.doc, changes, 0, new AuthorRules(source.rights));
  const { parts, changed, missingMedia } = writeDocx(source, doc, media);
  return { bytes: patchZip(source.package.archive, parts), applied, skipped, changed, missingMedia };
}
