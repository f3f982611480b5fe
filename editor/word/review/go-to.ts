import { TextSelection } from 'prosemirror-state';
import type { WordEditor } from '../word-editor.ts';

/** Selects a stretch of the document and scrolls to it; the focus stays where it is. */
export function goTo(editor: WordEditor, from: number, to: number): void {
  const { tr, doc } = editor.session.state;
  const end = Math.min(doc.content.size, to);
  const selection = TextSelection.between(doc.resolve(Math.min(from, end)), doc.resolve(end));
  editor.dispatch(tr.setSelection(selection));
  const place = editor.view?.domAtPos(selection.from);
  const element = place?.node instanceof Element ? place.node : place?.node.parentElement;
  element?.scrollIntoView({ block: 'center' });
}
