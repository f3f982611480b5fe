import type { Mark, Node } from 'prosemirror-model';

const WRAPPING = new Set(['link', 'within', 'ins', 'del']);

/** Whether a mark stands for an element around runs, and not for a property of them. */
export function isWrapping(mark: Mark): boolean {
  return WRAPPING.has(mark.type.name);
}

/** In how many pieces the tracked changes of the file stand in a document, by the key of their marks. */
export function piecesOfRevisions(doc: Node): Map<number, number> {
  const pieces = new Map<number, number>();
  doc.descendants((block) => {
    if (!block.isTextblock) return true;
    let before: readonly Mark[] = [];
    block.forEach(({ marks }) => {
      const around = marks.filter(isWrapping);
      let shared = 0;
      while (shared < around.length && before[shared]?.eq(around[shared]!)) shared++;
      for (const { type, attrs } of around.slice(shared)) {
        const isRevision = type.name === 'ins' || type.name === 'del';
        if (isRevision && attrs.key !== null) pieces.set(attrs.key, (pieces.get(attrs.key) ?? 0) + 1);
      }
      before = around;
    });
    return false;
  });
  return pieces;
}
