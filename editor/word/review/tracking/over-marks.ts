import { type Command, TextSelection } from 'prosemirror-state';
import { isBesideText } from './revision.ts';

/**
 * Moves the cursor over comments and anchors, which nobody sees, so that the key that deletes takes the letter behind
 * them. Leaves that to the next in line.
 */
export function stepOver(direction: 'backward' | 'forward'): Command {
  return (state, dispatch) => {
    const { selection, doc } = state;
    if (!selection.empty || !(selection instanceof TextSelection)) return false;
    let at = selection.head;
    for (;;) {
      const $at = doc.resolve(at);
      const node = direction === 'backward' ? $at.nodeBefore : $at.nodeAfter;
      if (!node?.isInline || !isBesideText(node)) break;
      at += direction === 'backward' ? -node.nodeSize : node.nodeSize;
    }
    if (at !== selection.head) dispatch?.(state.tr.setSelection(TextSelection.create(doc, at)));
    return false;
  };
}
