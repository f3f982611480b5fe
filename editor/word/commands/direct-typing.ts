import { Plugin, TextSelection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';

/**
 * Letters go into the state at once, instead of into the page first and from there back into the state. That saves the
 * browser's own editing and the reading of what it did, more than half of what a letter costs, and leaves no moment in
 * which page and state differ. Composition (input methods, dead keys, touch keyboards) and corrections go the usual way.
 */
export function directTyping(): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        beforeinput: (view, event) => {
          if (event.inputType !== 'insertText' || event.isComposing || view.composing || !event.data)
            return false;
          const place = placeOf(view, event);
          if (!place || !view.editable) return false;
          event.preventDefault();
          insert(view, event.data, place.from, place.to);
          return true;
        },
      },
    },
  });
}

/** Where the browser would put the letter; it knows of a new selection before it tells. */
function placeOf(view: EditorView, event: InputEvent): { from: number; to: number } | null {
  const [range] = event.getTargetRanges();
  if (!range || !view.dom.contains(range.startContainer) || !view.dom.contains(range.endContainer))
    return null;
  const from = view.posAtDOM(range.startContainer, range.startOffset);
  const to = range.collapsed ? from : view.posAtDOM(range.endContainer, range.endOffset);
  const $from = view.state.doc.resolve(from);
  // Across paragraphs, cells and pictures the browser's selection says less than the state's.
  return $from.parent.inlineContent && $from.sameParent(view.state.doc.resolve(to)) ? { from, to } : null;
}

function insert(view: EditorView, text: string, from: number, to: number): void {
  const typing = () => {
    const { selection, tr } = view.state;
    const isSelection = selection instanceof TextSelection && selection.from === from && selection.to === to;
    if (isSelection) return tr.insertText(text);
    // Of a selection of everything a part was replaced; the next letter must not replace it again.
    tr.insertText(text, from, to);
    return tr.setSelection(TextSelection.create(tr.doc, from + text.length));
  };
  if (view.someProp('handleTextInput', (handle) => handle(view, from, to, text, typing))) return;
  view.dispatch(typing().scrollIntoView());
}
