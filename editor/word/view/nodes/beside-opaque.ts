import type { Node } from 'prosemirror-model';
import { NodeSelection, Plugin, TextSelection } from 'prosemirror-state';
import { wordSchema } from '../../../../model/word/schema.ts';
import { opaqueLook } from './opaque-look.ts';

/**
 * Keeps what the model only carries along, such as a form's check boxes and lists, from being typed over by whoever
 * presses it: the cursor goes to the side that was pressed, and what is typed while it is chosen goes behind it.
 */
export function besideOpaque(): Plugin {
  return new Plugin({
    props: {
      handleClickOn: (view, _pos, node, nodePos, event, direct) => {
        if (!direct || !isControl(node) || event.shiftKey) return false;
        const dom = view.nodeDOM(nodePos);
        const box = dom instanceof Element ? dom.getBoundingClientRect() : null;
        const isLeft = box !== null && event.clientX < (box.left + box.right) / 2;
        const isRightToLeft = dom instanceof Element && getComputedStyle(dom).direction === 'rtl';
        const place = view.state.doc.resolve(isLeft === isRightToLeft ? nodePos + node.nodeSize : nodePos);
        view.dispatch(view.state.tr.setSelection(TextSelection.near(place)));
        return true;
      },
      handleTextInput: (view, _from, _to, text) => {
        const { selection, tr } = view.state;
        if (!(selection instanceof NodeSelection) || !isControl(selection.node)) return false;
        tr.setSelection(TextSelection.near(tr.doc.resolve(selection.to))).insertText(text);
        view.dispatch(tr.scrollIntoView());
        return true;
      },
    },
  });
}

const isControl = (node: Node): boolean =>
  node.type === wordSchema.nodes.opaque_inline && ['text', 'box'].includes(opaqueLook(node));
