import type { Node } from 'prosemirror-model';

/**
 * The next place for inline content at a position or from there on in a direction; the other direction where there is none.
 * It is in the same cell, and in no table that the position is not in. Null where there is no such place at all.
 */
export function placeInText(doc: Node, position: number, direction: 1 | -1): number | null {
  return placeTowards(doc, position, direction) ?? placeTowards(doc, position, direction === 1 ? -1 : 1);
}

function placeTowards(doc: Node, position: number, direction: 1 | -1): number | null {
  let $at = doc.resolve(position);
  while (!$at.parent.inlineContent) {
    const next = direction > 0 ? $at.nodeAfter : $at.nodeBefore;
    if (!next) {
      if ($at.parent.type.name !== 'block_wrap') return null;
      $at = doc.resolve(direction > 0 ? $at.after() : $at.before());
    } else if (next.type.name === 'paragraph' || next.type.name === 'block_wrap') {
      $at = doc.resolve($at.pos + direction);
    } else if (next.type.name === 'opaque_block') $at = doc.resolve($at.pos + direction * next.nodeSize);
    else return null;
  }
  return $at.pos;
}
