import type { EditorView } from 'prosemirror-view';

/** Scrolls to the selection also while the focus is elsewhere, in a field or a panel. */
export function revealSelection(view: EditorView): void {
  const { node } = view.domAtPos(view.state.selection.from);
  const element = node instanceof Element ? node : node.parentElement;
  element?.scrollIntoView({ block: 'center' });
}
