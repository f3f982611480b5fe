import type { Mark, Node, ResolvedPos } from 'prosemirror-model';
import { type Command, type EditorState, Plugin } from 'prosemirror-state';
import { wordSchema } from '../../../model/word/schema.ts';
import type { Styles } from '../styles/styles.ts';

const { marks } = wordSchema;

/** Addresses that a document may link to: a scheme such as `javascript:` never gets into one. */
const linkable = /^(?:https?:\/\/|mailto:|tel:|ftp:\/\/)/i;

/** A full address from what somebody typed, or null when it is none. */
export function linkAddress(typed: string): string | null {
  const text = typed.trim();
  if (linkable.test(text)) return text;
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return `mailto:${text}`;
  if (/^[\w-]+(?:\.[\w-]+)+(?:[/:?#]\S*)?$/.test(text)) return `https://${text}`;
  return null;
}

/** How a link looks: by the document's style for links, or as that style usually is. */
function linkLook(styles: Styles): readonly Mark[] {
  const style = styles.all.find(
    ({ name, type }) => type === 'character' && name.toLowerCase() === 'hyperlink',
  );
  return style
    ? [marks.character_style.create({ id: style.id })]
    : [marks.color.create({ value: '0563C1' }), marks.underline.create({ style: 'single' })];
}

const addAll = (set: readonly Mark[], more: readonly Mark[]): readonly Mark[] =>
  more.reduce((all, mark) => mark.addToSet(all), set);

/** What the selection covers, run by run. */
function forEachRun(state: EditorState, visit: (node: Node, from: number, to: number) => void): void {
  for (const { $from, $to } of state.selection.ranges) {
    state.doc.nodesBetween($from.pos, $to.pos, (node, pos) => {
      if (!node.isInline) return true;
      visit(node, Math.max(pos, $from.pos), Math.min(pos + node.nodeSize, $to.pos));
      return false;
    });
  }
}

/** Makes a link of the selection as it is, or of `text` in its place. */
export function setLink(styles: Styles, href: string, text: string | null): Command {
  return (state, dispatch) => {
    const { empty, $from } = state.selection;
    if (empty && !$from.parent.inlineContent) return false;
    if (!dispatch) return true;
    const { tr } = state;
    const link = marks.link.create({ href });
    const look = linkLook(styles);
    if (empty || text !== null) {
      const around = (empty ? null : $from.nodeAfter?.marks) ?? state.storedMarks ?? $from.marks();
      const set = addAll(around, around.some(({ type }) => type === marks.link) ? [link] : [link, ...look]);
      tr.replaceSelectionWith(wordSchema.text(text || href, set), false);
      dispatch(tr.setStoredMarks(marksAfter(set, look)).scrollIntoView());
      return true;
    }
    forEachRun(state, (node, from, to) => {
      tr.addMark(from, to, link);
      if (!marks.link.isInSet(node.marks)) for (const mark of look) tr.addMark(from, to, mark);
    });
    dispatch(tr.scrollIntoView());
    return true;
  };
}

interface LinkRange {
  readonly from: number;
  readonly to: number;
  readonly href: string | null;
}

/** The link that a position is in or at the edge of, or null. */
export function linkAt(state: EditorState, pos: number): LinkRange | null {
  const $pos = state.doc.resolve(pos);
  const { parent, parentOffset } = $pos;
  if (!parent.inlineContent) return null;
  const inLink = [parent.childAfter(parentOffset), parent.childBefore(parentOffset)].find(
    ({ node }) => node && marks.link.isInSet(node.marks),
  );
  if (!inLink?.node) return null;
  const mark = marks.link.isInSet(inLink.node.marks)!;
  const linked = (index: number) => mark.isInSet(parent.maybeChild(index)?.marks ?? []);
  let from = $pos.start() + inLink.offset;
  let to = from + inLink.node.nodeSize;
  for (let index = inLink.index - 1; linked(index); index--) from -= parent.child(index).nodeSize;
  for (let index = inLink.index + 1; linked(index); index++) to += parent.child(index).nodeSize;
  return { from, to, href: mark.attrs.href };
}

/** The link that the whole selection is in, or null. */
export function selectedLink(state: EditorState): LinkRange | null {
  const { from, to } = state.selection;
  const link = linkAt(state, from);
  return link && link.from <= from && to <= link.to ? link : null;
}

/** Takes links away, and that they look like ones. */
export function removeLink(styles: Styles): Command {
  return (state, dispatch) => {
    const link = state.selection.empty ? linkAt(state, state.selection.from) : null;
    const { tr } = state;
    const look = linkLook(styles);
    const unlink = (node: Node, from: number, to: number) => {
      if (!marks.link.isInSet(node.marks)) return;
      tr.removeMark(from, to, marks.link);
      if (look.every((mark) => mark.isInSet(node.marks)))
        for (const mark of look) tr.removeMark(from, to, mark);
    };
    if (link) {
      state.doc.nodesBetween(link.from, link.to, (node, pos) => {
        if (node.isInline) unlink(node, Math.max(pos, link.from), Math.min(pos + node.nodeSize, link.to));
      });
    } else forEachRun(state, unlink);
    if (!tr.docChanged) return false;
    dispatch?.(tr);
    return true;
  };
}

function marksAfter(set: readonly Mark[], look: readonly Mark[]): Mark[] {
  return set.filter((mark) => mark.type !== marks.link && !look.some((one) => one.eq(mark)));
}

/** Text typed behind a link is not part of it, and must not look as if it were. */
export function afterLinks(styles: Styles): Plugin {
  const look = linkLook(styles);
  return new Plugin({
    props: {
      handleTextInput: (view, from, to, text) => {
        const { state } = view;
        if (from !== to || state.storedMarks || !leavesLink(state.doc.resolve(from))) return false;
        const set = state.doc.resolve(from).marks();
        if (!look.every((mark) => mark.isInSet(set))) return false;
        const own = marksAfter(set, look);
        view.dispatch(state.tr.insert(from, wordSchema.text(text, own)).setStoredMarks(own).scrollIntoView());
        return true;
      },
    },
  });
}

function leavesLink({ nodeBefore, nodeAfter }: ResolvedPos): boolean {
  const link = nodeBefore && marks.link.isInSet(nodeBefore.marks);
  return !!link && !(nodeAfter && link.isInSet(nodeAfter.marks));
}
