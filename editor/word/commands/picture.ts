import { type Command, type EditorState, NodeSelection, TextSelection } from 'prosemirror-state';
import { wordSchema } from '../../../model/word/schema.ts';
import { emuPerPx } from '../../kit/emu.ts';
import { changeAttributes } from './paragraph-format.ts';

/** Whether a picture is what is selected. */
export const isPictureSelected = ({ selection }: EditorState): boolean =>
  selection instanceof NodeSelection && selection.node.type.name === 'image';

interface PictureChange {
  readonly alt?: string;
  /** EMU */
  readonly width?: number;
  /** EMU */
  readonly height?: number;
}

/** Changes the selected picture, which stays selected. */
export function setPicture(change: PictureChange): Command {
  return (state, dispatch) => {
    const { selection, tr } = state;
    if (!(selection instanceof NodeSelection) || !isPictureSelected(state)) return false;
    changeAttributes(tr, selection.from, selection.node, { ...change });
    if (!tr.docChanged) return false;
    dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, selection.from)));
    return true;
  };
}

/** 914,400 EMU to the inch, 96 CSS pixels to the inch. */

interface NewPicture {
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
    const node = wordSchema.nodes.image.create({
      src,
      width: Math.max(1, Math.round(widthPixels * emuPerPx)),
      height: Math.max(1, Math.round(heightPixels * emuPerPx)),
      alt,
    });
    if (!selection.empty && selection.to === at) tr.deleteSelection();
    const place = TextSelection.near(tr.doc.resolve(tr.mapping.map(at)), -1);
    if (!place.$from.parent.inlineContent) return false;
    dispatch?.(tr.insert(place.from, node).scrollIntoView());
    return true;
  };
}
