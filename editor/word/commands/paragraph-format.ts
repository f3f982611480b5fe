import type { Attrs, Node } from 'prosemirror-model';
import type { Command, Transaction } from 'prosemirror-state';
import { selectedParagraphs } from '../styles/effective.ts';
import type { StyleSheet } from '../styles/style-sheet.ts';

/** Half an inch, by which an indent grows and shrinks. */
export const indentStepTwips = 720;
const maxIndentTwips = 15_840;

type Change = Readonly<Record<string, unknown>>;

/** One step per attribute that differs, so that two people who change different ones of a paragraph both win. */
export function changeAttributes(tr: Transaction, pos: number, node: Node, change: Change): void {
  for (const [name, value] of Object.entries(change)) {
    if (node.attrs[name] !== value) tr.setNodeAttribute(pos, name, value);
  }
}

/** Changes attributes of all paragraphs that the selection touches. */
export function setParagraphs(change: Change | ((attrs: Attrs) => Change)): Command {
  return (state, dispatch) => {
    const paragraphs = selectedParagraphs(state);
    if (paragraphs.length === 0) return false;
    if (!dispatch) return true;
    const { tr } = state;
    for (const { node, pos } of paragraphs) {
      changeAttributes(tr, pos, node, typeof change === 'function' ? change(node.attrs) : change);
    }
    tr.setStoredMarks(state.storedMarks);
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/** Names a paragraph style; direct settings that a style usually makes are taken back with it. */
export const setParagraphStyle = (id: string): Command =>
  setParagraphs({ style: id, align: null, spaceBefore: null, spaceAfter: null, line: null, lineRule: null });

export const setAlignment = (align: 'left' | 'center' | 'right' | 'both'): Command =>
  setParagraphs({ align });

/** @param factor lines, as in 1.15 */
export const setLineSpacing = (factor: number): Command =>
  setParagraphs({ line: Math.round(factor * 240), lineRule: 'auto' });

/** Twips; null is "as the style says". */
export const setSpacing = (change: { spaceBefore?: number | null; spaceAfter?: number | null }): Command =>
  setParagraphs(change);

/** Moves the left edge by a step, never beyond the page. */
export function indent(sheet: StyleSheet, direction: 1 | -1): Command {
  return setParagraphs((attrs) => {
    const now = attrs.indentLeft ?? sheet.paragraph(attrs.style).paragraph.indentLeft ?? 0;
    const next = Math.min(maxIndentTwips, Math.max(0, Number(now) + direction * indentStepTwips));
    return { indentLeft: next };
  });
}

export const toggleDirection: Command = (state, dispatch) => {
  const rtl = selectedParagraphs(state).every(({ node }) => node.attrs.rtl === true);
  return setParagraphs({ rtl: !rtl })(state, dispatch);
};
