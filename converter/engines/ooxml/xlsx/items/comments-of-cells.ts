import type { ItemOf } from '../../../../../model/cell/items.ts';
import { isSame } from './item-list.ts';

type Comment = ItemOf<'comment'>;
type Comments = ReadonlyMap<string, Comment>;

/**
 * Comments as a file can hold them: a cell has one note or one thread there, whereas two people may each begin one in a model. A
 * further thread becomes answers to the first, a further note a part of its text, and a note beside a thread an answer. What the
 * file itself has stays as it is.
 */
export function commentsOfCells(before: Comments, after: Comments): Comments {
  const heads = new Map<string, [string, Comment][]>();
  for (const [id, item] of after) {
    if (item.parent !== undefined && !item.isNote) continue;
    const cell = `${item.cell}`;
    heads.set(cell, [...(heads.get(cell) ?? []), [id, item]]);
  }
  const isOfFile = ([id, { cell }]: [string, Comment]) => isSame(before.get(id)?.cell, cell);
  const crowded = [...heads.values()].filter((all) => all.length > 1 && !all.every(isOfFile));
  if (crowded.length === 0) return after;
  const comments = new Map(after);
  for (const all of crowded) {
    const [headId, head] = all.find(([, { isNote }]) => !isNote) ?? all[0]!;
    for (const [id, item] of all) {
      if (id === headId) continue;
      comments.delete(id);
      if (head.isNote) {
        const { text } = comments.get(headId)!;
        comments.set(headId, { ...head, text: `${text}\n\n${item.author}:\n${item.text}` });
        continue;
      }
      const { isNote, done: _done, ...answer } = item;
      // A note that becomes an answer stands in another part.
      comments.set(isNote ? `${id}.answer` : id, { ...answer, parent: headId });
      for (const [other, one] of after)
        if (one.parent === id) comments.set(other, { ...one, parent: headId });
    }
  }
  return comments;
}
