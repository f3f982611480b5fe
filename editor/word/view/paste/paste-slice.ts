import { Fragment, type Node, Slice } from 'prosemirror-model';
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { ReplaceStep } from 'prosemirror-transform';
import { wordSchema } from '../../../../model/word/schema.ts';
import { changeAttributes } from '../../commands/paragraph-format.ts';

const { nodes } = wordSchema;

/** What of a paragraph is not how it looks but which one it is. */
const own = new Set(['id', 'origin', 'markInserted', 'markDeleted']);

/** A paste, and where in it pictures belong. */
export interface Pasted {
  readonly transaction: Transaction;
  /** How far before the end of what was pasted each of the pictures stands, in their order. */
  readonly placesBeforeEnd: readonly number[];
}

/**
 * Replaces the selection as ProseMirror does, but an empty paragraph becomes what is pasted into it: a heading stays one.
 * Nodes that stand for pictures which are still to come do not get into the document.
 * @param stands whether a node stands for a picture
 */
export function pasteSlice(state: EditorState, slice: Slice, stands: (node: Node) => boolean): Pasted {
  const { $from, $to } = state.selection;
  const isEmpty = $from.parent.type === nodes.paragraph && $from.sameParent($to) && isAll(state);
  const first = slice.content.firstChild;
  const { transaction, places } = withoutStanding(state, state.tr.replaceSelection(slice), stands);
  if (isEmpty && slice.openStart > 0 && first?.type === nodes.paragraph) {
    const at = $from.before();
    const paragraph = transaction.doc.nodeAt(at);
    const said = Object.entries(first.attrs).filter(([name, value]) => value !== null && !own.has(name));
    if (paragraph) changeAttributes(transaction, at, paragraph, Object.fromEntries(said));
  }
  const end = transaction.selection.to;
  return { transaction, placesBeforeEnd: places.map((place) => end - place) };
}

/** The paragraph of the selection has no content but what is selected. */
const isAll = ({ selection: { $from, $to } }: EditorState): boolean =>
  $from.parentOffset === 0 && $to.parentOffset === $to.parent.content.size;

/** The same replacement without certain leaves, and the positions where they would be. */
function withoutStanding(
  state: EditorState,
  given: Transaction,
  stands: (node: Node) => boolean,
): { transaction: Transaction; places: number[] } {
  const found: number[] = [];
  const [step] = given.steps;
  given.doc.descendants((node, position) => {
    if (stands(node)) found.push(position);
  });
  if (found.length === 0) return { transaction: given, places: [] };
  const places = found.map((position, index) => position - index);
  const before = (position: number) => position - found.filter((one) => one < position).length;
  const head = before(given.selection.head);
  let transaction = state.tr;
  if (given.steps.length === 1 && step instanceof ReplaceStep) {
    const { from, to, slice } = step;
    transaction.step(new ReplaceStep(from, to, stripped(slice, stands)));
  } else {
    transaction = given;
    for (const position of found.toReversed()) transaction.delete(position, position + 1);
  }
  transaction.setSelection(TextSelection.near(transaction.doc.resolve(head), -1));
  return { transaction, places };
}

function stripped({ content, openStart, openEnd }: Slice, stands: (node: Node) => boolean): Slice {
  const strip = (fragment: Fragment): Fragment => {
    const kept: Node[] = [];
    fragment.forEach((node) => {
      if (!stands(node)) kept.push(node.isLeaf ? node : node.copy(strip(node.content)));
    });
    return Fragment.fromArray(kept);
  };
  return new Slice(strip(content), openStart, openEnd);
}
