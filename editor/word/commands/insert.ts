import { type Command, type EditorState, TextSelection } from 'prosemirror-state';
import { wordSchema } from '../../../model/word/schema.ts';

const { marks, nodes } = wordSchema;

/** 914,400 EMU to the inch, 96 CSS pixels to the inch. */
export const emuPerPixel = 9_525;

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

/** Makes the selection a link, or inserts `text` as one. */
export function setLink(href: string, text: string): Command {
  return (state, dispatch) => {
    const { from, to, empty, $from } = state.selection;
    if (!$from.parent.inlineContent) return false;
    const mark = marks.link.create({ href });
    const { tr } = state;
    const unchanged = !empty && state.doc.textBetween(from, to) === text;
    if (unchanged) tr.addMark(from, to, mark);
    else {
      tr.replaceSelectionWith(wordSchema.text(text || href, mark.addToSet($from.marks())), false);
    }
    tr.removeStoredMark(marks.link);
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

export interface LinkRange {
  readonly from: number;
  readonly to: number;
  readonly href: string | null;
}

/** The link that a position is in or at the edge of, or null. */
export function linkAt(state: EditorState, pos: number): LinkRange | null {
  const $pos = state.doc.resolve(pos);
  const { parent, parentOffset } = $pos;
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

export const removeLink: Command = (state, dispatch) => {
  const { from, to, empty } = state.selection;
  const link = empty ? linkAt(state, from) : { from, to };
  if (!link) return false;
  dispatch?.(state.tr.removeMark(link.from, link.to, marks.link));
  return true;
};

export interface NewPicture {
  /** Path in the model, as `POST /upload/{key}` answered it. */
  readonly src: string;
  readonly widthPixels: number;
  readonly heightPixels: number;
  readonly alt: string;
}

export function insertPicture({ src, widthPixels, heightPixels, alt }: NewPicture): Command {
  return (state, dispatch) => {
    if (!state.selection.$from.parent.inlineContent) return false;
    const node = nodes.image.create({
      src,
      width: Math.round(widthPixels * emuPerPixel),
      height: Math.round(heightPixels * emuPerPixel),
      alt,
    });
    dispatch?.(state.tr.replaceSelectionWith(node, false).scrollIntoView());
    return true;
  };
}

/** A table after the paragraph of the cursor, or in its place when that is empty; the cursor goes to the first cell. */
export function insertTable(
  rows: number,
  columns: number,
  widthPixels: number,
  style: string | null,
): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    const { parent } = $from;
    if (parent.type !== nodes.paragraph) return false;
    if (!dispatch) return true;
    const width = Math.max(20, Math.floor(widthPixels / columns));
    const cell = () => nodes.table_cell.create({ colwidth: [width] }, nodes.paragraph.create());
    const row = () => nodes.table_row.create(null, Array.from({ length: columns }, cell));
    const table = nodes.table.create({ style }, Array.from({ length: rows }, row));
    const { tr } = state;
    const replaces = parent.content.size === 0;
    const at = replaces ? $from.before() : $from.after();
    // A document, and a cell, must end with a paragraph: the empty one moves behind the table.
    tr.insert(at, table);
    tr.setSelection(TextSelection.near(tr.doc.resolve(at + 3)));
    dispatch(tr.scrollIntoView());
    return true;
  };
}
