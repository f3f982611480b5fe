import { type Command, type EditorState, NodeSelection } from 'prosemirror-state';
import { changeAttributes } from './paragraph-format.ts';

/** Whether a picture is what is selected. */
export const isPictureSelected = ({ selection }: EditorState): boolean =>
  selection instanceof NodeSelection && selection.node.type.name === 'image';

export interface PictureChange {
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
