import { applyInOrder, type SkippedChange } from './change.ts';
import { type LogEntry, textOf } from './change-author.ts';
import { type CheckpointHeader, DamagedCheckpoint } from './checkpoint.ts';
import { applyEntry, type DocumentAt, type KindModel, type OpenedDocument } from './kind-model.ts';
import { TextDigest } from './text-digest.ts';

/** The end of a log: the changes after a checkpoint of the same base, or all of them. */
export interface LogTail {
  /** JSON text; null: the changes are the whole log. */
  readonly checkpoint: string | null;
  readonly changes: readonly LogEntry[];
  readonly wantsCheckpoint: boolean;
}

/** What became of the changes of a log, from its beginning. */
export interface LogOutcome {
  readonly applied: number;
  readonly skipped: number;
  readonly firstSkipped: SkippedChange | undefined;
  /** Of the end of the log, as JSON text; null where there is none, or none was asked for. */
  readonly checkpoint: string | null;
}

/**
 * The document at the end of a log.
 * @throws DamagedCheckpoint when the tail comes with a checkpoint that is none of the base
 */
export function applyTail<Doc extends object, Step, Rights, Rules extends { fork(): Rules }>(
  model: KindModel<Doc, Step, Rights, Rules>,
  base: OpenedDocument<Doc, Rights>,
  { checkpoint, changes, wantsCheckpoint }: LogTail,
): { readonly doc: Doc; readonly log: LogOutcome } {
  const begun = checkpoint === null ? beginningOf(model, base) : readCheckpoint(model, base, checkpoint);
  const { rules, log } = begun;
  const { doc, skipped } = applyInOrder(begun.doc, changes, log.index, (before, entry) =>
    applyEntry(model, before, entry, rules),
  );
  const index = log.index + changes.length;
  const counts = {
    skipped: log.skipped + skipped.length,
    firstSkipped: (log.firstSkipped as SkippedChange | undefined) ?? skipped[0],
  };
  const header = (): CheckpointHeader => ({ index, ...counts, digest: digestAfter(log.digest, changes) });
  const made = wantsCheckpoint ? model.checkpoint(base.doc, { doc, rules, log: header() }) : null;
  return {
    doc,
    log: { applied: index - counts.skipped, ...counts, checkpoint: made && JSON.stringify(made) },
  };
}

function beginningOf<Doc extends object, Step, Rights, Rules extends { fork(): Rules }>(
  model: KindModel<Doc, Step, Rights, Rules>,
  { doc, rights }: OpenedDocument<Doc, Rights>,
): DocumentAt<Doc, Rules> {
  return {
    doc,
    rules: model.rules(rights),
    log: { index: 0, digest: new TextDigest().toString(), skipped: 0 },
  };
}

function readCheckpoint<Doc extends object, Step, Rights, Rules extends { fork(): Rules }>(
  model: KindModel<Doc, Step, Rights, Rules>,
  base: OpenedDocument<Doc, Rights>,
  text: string,
): DocumentAt<Doc, Rules> {
  try {
    return model.documentAt(base, JSON.parse(text));
  } catch (cause) {
    throw new DamagedCheckpoint('not a checkpoint of this document', { cause });
  }
}

function digestAfter(digest: string, changes: readonly LogEntry[]): string {
  return changes.reduce((all, entry) => all.with(textOf(entry)), TextDigest.of(digest)).toString();
}
