import { Fragment, type Node } from 'prosemirror-model';
import { sharedChildren } from '../changed-nodes.ts';

/** What of blocks that stand beside each other counts for somebody's rights. */
export interface View {
  /** Whether a block goes together with the one behind it. */
  reachesOn(block: Node): boolean;
  /** Whether all that is inside of a block is looked at block by block. */
  isTransparent(block: Node): boolean;
  blocks(children: readonly Node[]): Node[];
}

/** Whether two documents are the same in a view. Only the stretch in which they differ is looked at. */
export function sameInView(before: Node, after: Node, view: View): boolean {
  if (before === after) return true;
  let { start, end } = sharedChildren(before, after);
  while (start > 0 && view.reachesOn(before.child(start - 1))) start--;
  const reachesEnd = ({ childCount, children }: Node) =>
    childCount - end > start && view.reachesOn(children[childCount - end - 1]!);
  while (end > 0 && (reachesEnd(before) || reachesEnd(after))) end--;
  const [one, other] = [before, after].map(({ children, childCount }) =>
    children.slice(start, childCount - end),
  );
  const [first] = one!;
  const [second] = other!;
  const isPair = one!.length === 1 && other!.length === 1;
  if (isPair && view.isTransparent(first!) && view.isTransparent(second!)) {
    return first!.sameMarkup(second!) && sameInView(first!, second!, view);
  }
  return Fragment.from(view.blocks(one!)).eq(Fragment.from(view.blocks(other!)));
}
