import { type Command, TextSelection } from 'prosemirror-state';
import { wordSchema } from '../../../model/word/schema.ts';

const { nodes } = wordSchema;

/** 914,400 EMU to the inch, 96 CSS pixels to the inch. */
export const emuPerPixel = 9_525;

export interface NewPicture {
  /** Path in the model, as `POST /upload/{key}` answered it. */
  readonly src: string;
  readonly widthPixels: number;
  readonly heightPixels: number;
  readonly alt: string;
}

/** Inserts a picture at a position; a selection that ends there is what it replaces. */
export function insertPicture(at: number, { src, widthPixels, heightPixels, alt }: NewPicture): Command {
  return (state, dispatch) => {
    const { selection, tr } = state;
    const node = nodes.image.create({
      src,
      width: Math.max(1, Math.round(widthPixels * emuPerPixel)),
      height: Math.max(1, Math.round(heightPixels * emuPerPixel)),
      alt,
    });
    if (!selection.empty && selection.to === at) tr.deleteSelection();
    const place = TextSelection.near(tr.doc.resolve(tr.mapping.map(at)), -1);
    if (!place.$from.parent.inlineContent) return false;
    dispatch?.(tr.insert(place.from, node).scrollIntoView());
    return true;
  };
}

/**
 * A table after the paragraph of the cursor, or in its place when that is empty; the cursor goes to the first cell.
 * Two tables side by side would be one, and what holds a table must end with a paragraph: where it needs to, one is
 * put in.
 */
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
    const container = $from.node(-1);
    const index = $from.index(-1);
    const replaces = parent.content.size === 0 && container.maybeChild(index - 1)?.type !== nodes.table;
    const next = container.maybeChild(index + 1);
    const { tr } = state;
    const at = replaces ? $from.before() : $from.after();
    tr.insert(at, !replaces && next?.type !== nodes.paragraph ? [table, nodes.paragraph.create()] : table);
    tr.setSelection(TextSelection.near(tr.doc.resolve(at + 3)));
    dispatch(tr.scrollIntoView());
    return true;
  };
}
