import type { Node } from 'prosemirror-model';

/** How many blocks of a document are shown and cannot be edited here, by the name of their element. */
export function lockedBlocks(doc: Node): ReadonlyMap<string, number> {
  const locked = new Map<string, number>();
  doc.descendants(({ type, attrs }) => {
    if (type.name === 'opaque_block') locked.set(attrs.kind, (locked.get(attrs.kind) ?? 0) + 1);
    return !type.isTextblock;
  });
  return locked;
}
