import type { Node } from 'prosemirror-model';
import type { EditorView } from 'prosemirror-view';

export interface PlacedBlock {
  readonly node: Node;
  readonly position: number;
}

/** Blocks whose children stand one below the other; those of others are in view when they are. */
const stacked = new Set(['doc', 'table', 'block_wrap']);

/**
 * The blocks that are on the screen, or as far from it as it is high. Of a stack only so many are measured as it takes
 * to find where the screen begins and ends.
 */
export function blocksInView(view: EditorView): PlacedBlock[] {
  const edges = { top: -innerHeight, bottom: 2 * innerHeight };
  const found: PlacedBlock[] = [];
  const look = (parent: Node, start: number) => {
    const children: PlacedBlock[] = [];
    parent.forEach((node, offset) => void children.push({ node, position: start + offset }));
    const rectOf = ({ position }: PlacedBlock) => {
      const dom = view.nodeDOM(position);
      return dom instanceof Element ? dom.getBoundingClientRect() : null;
    };
    const first = firstWhere(children, (one) => (rectOf(one)?.bottom ?? edges.top) >= edges.top);
    const end = firstWhere(children, (one) => (rectOf(one)?.top ?? edges.top) > edges.bottom);
    for (const block of children.slice(first, end)) {
      if (stacked.has(block.node.type.name)) look(block.node, block.position + 1);
      else found.push(block);
    }
  };
  look(view.state.doc, 0);
  return found;
}

/** Index of the first for which a condition holds that holds for all behind it, too; the length if there is none. */
function firstWhere<T>(all: readonly T[], holds: (one: T) => boolean): number {
  let [from, to] = [0, all.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(all[middle]!)) to = middle;
    else from = middle + 1;
  }
  return from;
}
