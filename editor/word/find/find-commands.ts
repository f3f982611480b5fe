import type { Node } from 'prosemirror-model';
import { type Command, TextSelection, type Transaction } from 'prosemirror-state';
import { wordSchema } from '../../../model/word/schema.ts';
import { findState } from './find-state.ts';
import type { Match, Matches } from './matches.ts';

/** Selects a match: the one behind the selection or before it, and from the other end on where there is none. */
function selectMatch(choose: (matches: Matches, doc: Node, selected: Match) => Match | null): Command {
  return (state, dispatch) => {
    const matches = findState(state)?.matches;
    const match = matches && choose(matches, state.doc, state.selection);
    if (!match) return false;
    dispatch?.(state.tr.setSelection(selectionOf(state.doc, match)).scrollIntoView());
    return true;
  };
}

const selectionOf = (doc: Node, { from, to }: Match) => TextSelection.create(doc, from, to);

export const findNext = selectMatch((matches, doc, { to }) => matches.next(doc, to) ?? matches.next(doc, 0));

export const findPrevious = selectMatch(
  (matches, doc, { from }) => matches.previous(doc, from) ?? matches.previous(doc, doc.content.size),
);

/** Replaces the selected match and selects the next; selects the next if none is selected. */
export function replaceNext(text: string): Command {
  return (state, dispatch) => {
    const { doc, selection, tr } = state;
    const matches = findState(state)?.matches;
    const match = matches && (matches.next(doc, selection.from) ?? matches.next(doc, 0));
    if (!match) return false;
    if (match.from !== selection.from || match.to !== selection.to) {
      dispatch?.(tr.setSelection(selectionOf(doc, match)).scrollIntoView());
      return true;
    }
    replace(tr, match, text);
    const next = matches.next(doc, match.to) ?? matches.next(doc, 0);
    const [from, to] = next
      ? [tr.mapping.map(next.from, 1), tr.mapping.map(next.to, -1)]
      : [match.from, tr.mapping.map(match.to)];
    if (from <= to) tr.setSelection(TextSelection.create(tr.doc, from, to));
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

/** Replaces every match. */
export function replaceAll(text: string): Command {
  return (state, dispatch) => {
    const all = findState(state)?.matches?.all(state.doc) ?? [];
    if (all.length === 0) return false;
    const { tr } = state;
    for (const match of all.toReversed()) replace(tr, match, text);
    dispatch?.(tr);
    return true;
  };
}

/** What comes in has the marks of what goes. */
function replace(tr: Transaction, { from, to }: Match, text: string): void {
  const marks = tr.doc.resolve(from).marksAcross(tr.doc.resolve(to)) ?? [];
  if (text === '') tr.delete(from, to);
  else tr.replaceWith(from, to, wordSchema.text(text, marks));
}
