import type { Attrs, Node } from 'prosemirror-model';
import type { Command, Transaction } from 'prosemirror-state';
import { selectedParagraphs } from '../styles/effective.ts';
import type { Styles } from '../styles/styles.ts';

/** Half an inch, by which an indent grows and shrinks. */
const indentStepTwips = 720;
const maxIndentTwips = 15_840;

type Change = Readonly<Record<string, unknown>>;

/** One step per attribute that differs, so that two people who change different ones of a paragraph both win. */
export function changeAttributes(tr: Transaction, pos: number, node: Node, change: Change): void {
  for (const [name, value] of Object.entries(change)) {
    if (node.attrs[name] !== value) tr.setNodeAttribute(pos, name, value);
  }
}

/** Changes attributes of all paragraphs that the selection touches. */
export function setParagraphs(change: Change | ((attrs: Attrs, node: Node) => Change)): Command {
  return (state, dispatch) => {
    const paragraphs = selectedParagraphs(state);
    if (paragraphs.length === 0) return false;
    if (!dispatch) return true;
    const { tr } = state;
    for (const { node, pos } of paragraphs) {
      changeAttributes(tr, pos, node, typeof change === 'function' ? change(node.attrs, node) : change);
    }
    tr.setStoredMarks(state.storedMarks);
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/** Names a paragraph style; direct settings that a style usually makes are taken back with it. */
export const setParagraphStyle = (id: string): Command =>
  setParagraphs({ style: id, align: null, spaceBefore: null, spaceAfter: null, line: null, lineRule: null });

export type Side = 'left' | 'center' | 'right' | 'both';

/** Whether a paragraph is written from right to left, itself or by its style. */
export const isRightToLeft = ({ rtl, style }: Attrs, styles: Styles): boolean =>
  (rtl ?? styles.paragraph(style).paragraph.rtl) === true;

/** Alignments are those of lines from left to right: in a paragraph of the other direction they mean the other side. */
const mirrored: Readonly<Record<string, string>> = { left: 'right', right: 'left' };
const sides: Readonly<Record<string, string>> = { start: 'left', end: 'right', numTab: 'left' };

/** The side of the page at which the lines of a paragraph are aligned, or another value of ST_Jc. */
export function sideOf(attrs: Attrs, styles: Styles): string {
  const said = String(attrs.align ?? styles.paragraph(attrs.style).paragraph.align ?? 'left');
  const side = sides[said] ?? said;
  return isRightToLeft(attrs, styles) ? (mirrored[side] ?? side) : side;
}

/** Aligns at a side of the page as it is seen. */
export const setAlignment = (side: Side, styles: Styles): Command =>
  setParagraphs((attrs) => ({
    align: isRightToLeft(attrs, styles) ? (mirrored[side] ?? side) : side,
  }));

/** @param factor lines, as in 1.15 */
export const setLineSpacing = (factor: number): Command =>
  setParagraphs({ line: Math.round(factor * 240), lineRule: 'auto' });

/** Moves the left edge by a step, never beyond the page. */
export function indent(styles: Styles, direction: 1 | -1): Command {
  return setParagraphs((attrs) => {
    const said = Number(styles.paragraph(attrs.style).paragraph.indentLeft ?? 0);
    const now = Number(attrs.indentLeft ?? said);
    const next = Math.min(maxIndentTwips, Math.max(0, now + direction * indentStepTwips));
    return { indentLeft: next === said ? null : next };
  });
}

/** Changes the direction of writing. A paragraph says nothing itself where its style has that direction already. */
export function toggleDirection(styles: Styles): Command {
  return (state, dispatch) => {
    const rtl = !selectedParagraphs(state).every(({ node }) => isRightToLeft(node.attrs, styles));
    return setParagraphs(({ style }) => ({
      rtl: rtl === (styles.paragraph(style).paragraph.rtl === true) ? null : rtl,
    }))(state, dispatch);
  };
}
