import { announce } from '../../../kit/announce.tsx';
import { t } from '../../../strings/strings.ts';
import type { WordEditor } from '../../word-editor.ts';
import { changesIn, type TrackedChange } from './changes.ts';
import { type ChangeKind, type Decision, exemptFromTracking } from './revision.ts';
import { settle } from './settle.ts';

/** A range of the document, and whether only one kind of changes in it is meant. */
interface ChangeRange {
  readonly from: number;
  readonly to: number;
  readonly kind?: ChangeKind;
  readonly author?: string;
  readonly isOfFile?: boolean;
}

/** Accepts or rejects the changes of a range that this person may decide on. Returns how many that were. */
export function settleChanges(editor: WordEditor, decision: Decision, range: ChangeRange): number {
  const { review, session } = editor;
  const { from, to } = range;
  const { fileRevisions } = review;
  const concerns = (kind: ChangeKind, author: string, isOfFile: boolean) =>
    (range.kind ?? kind) === kind &&
    (range.author ?? author) === author &&
    (range.isOfFile ?? isOfFile) === isOfFile &&
    review.maySettle(decision, { author, isOfFile });
  const count = changesIn(session.state.doc, fileRevisions).filter(
    (change) => change.from < to && change.to > from && concerns(change.kind, change.author, change.isOfFile),
  ).length;
  if (count === 0) return 0;
  const { tr } = session.state;
  settle(tr, decision, { from, to, concerns, fileRevisions });
  editor.dispatch(exemptFromTracking(tr));
  announce(t(decision === 'accept' ? 'review.accepted' : 'review.rejected', { count }));
  return count;
}

/** The selection, or the change at the cursor. */
export function rangeAtCursor({ session, review }: WordEditor): ChangeRange | null {
  const { doc, selection } = session.state;
  const { from, to, empty, head } = selection;
  if (!empty) return { from, to };
  const isHere = (change: TrackedChange) => change.from <= head && head <= change.to;
  return changesIn(doc, review.fileRevisions).find(isHere) ?? null;
}

/** The next change behind the selection, or the one before it; from the other end when there is none. */
export function neighbourOf(
  changes: readonly TrackedChange[],
  { from, to }: { readonly from: number; readonly to: number },
  direction: 1 | -1,
): TrackedChange | undefined {
  if (direction === 1) return changes.find((change) => change.from >= to && change.to > to) ?? changes[0];
  return changes.findLast((change) => change.to <= from && change.from < from) ?? changes.at(-1);
}
