import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';

/** Selects a range of text and scrolls to it. */
export function select(from: number, to: number): Command {
  return (state, dispatch) => {
    dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, from, to)).scrollIntoView());
    return true;
  };
}

/** Scrolls to the selection also while the focus is elsewhere, in a field or a panel. */
export function revealSelection(view: EditorView): void {
  const { node } = view.domAtPos(view.state.selection.from);
  const element = node instanceof Element ? node : node.parentElement;
  element?.scrollIntoView({ block: 'center' });
}

/** What {@link goTo} needs of an editor. */
interface EditorWithSelection {
  readonly session: { readonly state: EditorState };
  readonly view: EditorView | null;
  dispatch(transaction: Transaction): void;
}

/** Selects a range of the document and scrolls to it; the focus stays where it is. */
export function goTo(editor: EditorWithSelection, from: number, to: number): void {
  const { tr, doc } = editor.session.state;
  const end = Math.min(doc.content.size, to);
  const selection = TextSelection.between(doc.resolve(Math.min(from, end)), doc.resolve(end));
  editor.dispatch(tr.setSelection(selection));
  if (editor.view) revealSelection(editor.view);
}
