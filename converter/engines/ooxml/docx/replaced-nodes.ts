import { Fragment, type Node } from 'prosemirror-model';

/** The document with the nodes at some positions replaced by others, or by none. Nodes without any of them stay the same. */
export function withReplaced(doc: Node, replaced: ReadonlyMap<number, readonly Node[]>): Node {
  const positions = [...replaced.keys()].sort((a, b) => a - b);
  return replacedIn(doc, 0, replaced, positions);
}

function replacedIn(
  parent: Node,
  contentStart: number,
  replaced: ReadonlyMap<number, readonly Node[]>,
  positions: readonly number[],
): Node {
  if (positions.length === 0) return parent;
  const children: Node[] = [];
  let next = 0;
  parent.forEach((child, offset) => {
    const start = contentStart + offset;
    const from = next;
    while (next < positions.length && positions[next]! < start + child.nodeSize) next++;
    const nodes = replaced.get(start);
    if (nodes) children.push(...nodes);
    else children.push(replacedIn(child, start + 1, replaced, positions.slice(from, next)));
  });
  return parent.copy(Fragment.fromArray(children));
}
