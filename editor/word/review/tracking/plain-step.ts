import { Fragment, type Node, Slice } from 'prosemirror-model';
import type { ReplaceStep } from 'prosemirror-transform';
import { wordSchema } from '../../../../model/word/schema.ts';

const { nodes } = wordSchema;

/** A replacement: from, to, and what comes in between. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly slice: Slice;
  /** Whether the slice is the one of the step, so that positions in it are the same. */
  readonly isWhole: boolean;
}

/**
 * A step without what it takes out and puts in again: whole paragraphs are replaced by their content, and the
 * opening of a node that follows a deleted block stays where it is.
 */
export function trimmed(doc: Node, step: ReplaceStep): Replacement {
  let { from, to, slice } = step;
  if (from === to || slice.size === 0) return { from, to, slice, isWhole: true };
  const whole = slice;
  const $from = doc.resolve(from);
  const $to = doc.resolve(to);
  if (slice.openEnd > 0 && $to.parentOffset === 0 && $to.before() > from && isEmptyAtEnd(slice)) {
    slice = new Slice(withoutLast(slice.content, slice.openEnd), slice.openStart, slice.openEnd - 1);
    to = $to.before();
  } else if (slice.openEnd === 0 && isParagraph(slice.content.lastChild) && isParagraph($to.nodeBefore)) {
    slice = new Slice(slice.content, slice.openStart, 1);
    to -= 1;
  }
  if (slice.openStart === 0 && isParagraph(slice.content.firstChild) && isParagraph($from.nodeAfter)) {
    slice = new Slice(slice.content, 1, slice.openEnd);
    from += 1;
  }
  return { from, to, slice, isWhole: slice === whole };
}

const isParagraph = (node: Node | null): boolean => node?.type === nodes.paragraph;

/** Whether the last token of a slice opens a node. */
function isEmptyAtEnd({ content, openEnd }: Slice): boolean {
  let node: Node | null = content.lastChild;
  for (let depth = 1; depth < openEnd; depth++) node = node?.lastChild ?? null;
  return node?.content.size === 0;
}

function withoutLast(content: Fragment, depth: number): Fragment {
  const last = content.lastChild!;
  const kept = content.content.slice(0, -1);
  return Fragment.fromArray(depth === 1 ? kept : [...kept, last.copy(withoutLast(last.content, depth - 1))]);
}

/** Whether a slice has anything in it: text, a break between paragraphs, or a block that is no paragraph. */
export function hasContent({ content, openStart, openEnd }: Slice): boolean {
  if (content.childCount !== 1) return content.childCount > 1;
  const only = content.firstChild!;
  if (only.isInline || !(openStart > 0 || openEnd > 0)) return true;
  return hasContent(new Slice(only.content, Math.max(0, openStart - 1), Math.max(0, openEnd - 1)));
}
