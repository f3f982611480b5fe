import { Fragment, type Node } from 'prosemirror-model';

/** The document with other nodes, or none, at some positions. A node in which nothing is replaced stays the same object. */
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
