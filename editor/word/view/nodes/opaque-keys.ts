import { joinBackward, joinForward } from 'prosemirror-commands';
import type { Node, ResolvedPos } from 'prosemirror-model';
import { type Command, NodeSelection, Plugin, TextSelection } from 'prosemirror-state';
import { wordSchema } from '../../../../model/word/schema.ts';
import { opaqueLook } from './opaque-look.ts';

/** Towards the end of the document, or its start. */
type Direction = 1 | -1;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Bookmarks, ends of comments and the like take no room: keys treat them as if they were not there. */
function isHidden(node: Node): boolean {
  const { name } = node.type;
  return (
    name === 'anchor' || name === 'comment' || (name === 'opaque_inline' && opaqueLook(node) === 'hidden')
  );
}

/** Moves the cursor over what cannot be seen beside it, and the letter after that; `extend` selects. */
export function passHidden(direction: Direction, extend: boolean): Command {
  return (state, dispatch) => {
    const { selection } = state;
    if (!(selection instanceof TextSelection) || !(selection.empty || extend)) return false;
    const past = pastHidden(selection.$head, direction);
    if (past === null) return false;
    const to = past + direction * letterLength(state.doc.resolve(past), direction);
    // At the edge of a paragraph, or before something that is no letter, the key goes on from there.
    const head = to === past ? past : to;
    const anchor = extend ? selection.anchor : head;
    dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, anchor, head)).scrollIntoView());
    return to !== past;
  };
}

/** Deletes the letter beyond what cannot be seen beside the cursor, which stays. */
export function deletePastHidden(direction: Direction): Command {
  return (state, dispatch, view) => {
    const { selection, doc } = state;
    if (!(selection instanceof TextSelection) || !selection.empty) return false;
    const past = pastHidden(selection.$head, direction);
    if (past === null) return false;
    const length = letterLength(doc.resolve(past), direction);
    const { tr } = state;
    if (length > 0) {
      dispatch?.(
        tr.delete(Math.min(past, past + direction * length), Math.max(past, past + direction * length)),
      );
      return true;
    }
    const atEdge = state.apply(tr.setSelection(TextSelection.create(doc, past)));
    const join = direction < 0 ? joinBackward : joinForward;
    return join(atEdge, dispatch, view);
  };
}

/** Where what cannot be seen beside a position ends; null when there is nothing of the kind. */
function pastHidden($from: ResolvedPos, direction: Direction): number | null {
  if ($from.textOffset > 0) return null;
  const { parent } = $from;
  let index = direction > 0 ? $from.index() : $from.index() - 1;
  let pos = $from.pos;
  for (let node = parent.maybeChild(index); node && isHidden(node); node = parent.maybeChild(index)) {
    pos += direction * node.nodeSize;
    index += direction;
  }
  return pos === $from.pos ? null : pos;
}

function letterLength($pos: ResolvedPos, direction: Direction): number {
  const text = (direction > 0 ? $pos.nodeAfter : $pos.nodeBefore)?.text;
  if (text === undefined) return 0;
  const part = direction > 0 ? text.slice(0, 64) : text.slice(-64);
  const letters = [...segmenter.segment(part)];
  return (direction > 0 ? letters[0] : letters.at(-1))?.segment.length ?? 0;
}

/** Keys that meet what cannot be seen. */
export function passHiddenKeys(): Plugin {
  return new Plugin({
    props: {
      handleKeyDown: (view, event) => {
        if (event.ctrlKey || event.altKey || event.metaKey) return false;
        const rtl = view.state.selection.$head.parent.attrs.rtl === true;
        const run = (command: Command) => command(view.state, view.dispatch, view);
        switch (event.key) {
          case 'ArrowRight':
            return run(passHidden(rtl ? -1 : 1, event.shiftKey));
          case 'ArrowLeft':
            return run(passHidden(rtl ? 1 : -1, event.shiftKey));
          case 'Backspace':
            return view.editable && run(deletePastHidden(-1));
          case 'Delete':
            return view.editable && run(deletePastHidden(1));
          default:
            return false;
        }
      },
    },
  });
}

/**
 * Keeps what the model only carries along, such as a form's check boxes and lists, from being typed over by a person who
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
