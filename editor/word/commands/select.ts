import { type Command, TextSelection } from 'prosemirror-state';

/** Selects a stretch of text and scrolls to it. */
export function select(from: number, to: number): Command {
  return (state, dispatch) => {
    dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, from, to)).scrollIntoView());
    return true;
  };
}
