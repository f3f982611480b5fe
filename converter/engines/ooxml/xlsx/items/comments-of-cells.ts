import type { ItemOf } from '../../../../../model/cell/items.ts';
import { isSame } from './item-list.ts';

type Comment = ItemOf<'comment'>;
type Comments = ReadonlyMap<string, Comment>;

/**
 * Comments as a file can hold them: a cell has one note or one thread there, whereas two people may each begin one in a model. A
 * further thread becomes answers to the first, a further note a part of its text, and a note beside a thread an answer. What the
 * file itself has stays as it is.
 */
export function commentsOfCells(before: Comments, given: Comments): Comments {
  const after = withHeads(before, given);
  const heads = groupsOf(after, ({ parent, isNote, cell }) =>
    parent === undefined || isNote ? `${cell}` : null,
  );
  const isOfFile = ([id, { cell }]: [string, Comment]) => isSame(before.get(id)?.cell, cell);
  const crowded = [...heads.values()].filter((all) => all.length > 1 && !all.every(isOfFile));
  if (crowded.length === 0) return after;
  const comments = new Map(after);
  const answers = groupsOf(after, ({ parent }) => parent ?? null);
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
      for (const [other, one] of answers.get(id) ?? []) comments.set(other, { ...one, parent: headId });
    }
  }
  return comments;
}

/** Comments by what they have in common, those without that left out. A file may have very many in one cell. */
function groupsOf(
  comments: Comments,
  nameOf: (item: Comment) => string | null,
): Map<string, [id: string, item: Comment][]> {
  const groups = new Map<string, [string, Comment][]>();
  for (const [id, item] of comments) {
    const name = nameOf(item);
    if (name === null) continue;
    const group = groups.get(name);
    if (group) group.push([id, item]);
    else groups.set(name, [[id, item]]);
  }
  return groups;
}

/** Each answer answers the first of its thread; one that answers nobody begins a thread. What the file itself has stays. */
function withHeads(before: Comments, after: Comments): Comments {
  const heads = new Map<string, string | null>();
  const changed = new Map<string, Comment>();
  for (const [id, item] of after) {
    if (item.parent === undefined || item.isNote) continue;
    const head = headOf(after, id, heads);
    const isOfFile =
      before.get(id)?.parent === item.parent && before.has(item.parent) === after.has(item.parent);
    if (head === item.parent || isOfFile) continue;
    const { parent: _parent, ...rest } = item;
    changed.set(id, head === null ? rest : { ...rest, parent: head });
  }
  return changed.size === 0 ? after : new Map([...after, ...changed]);
}

/** @param heads those that are known: answers may be in a long line, or in a circle */
function headOf(comments: Comments, id: string, heads: Map<string, string | null>): string | null {
  const line: string[] = [];
  let head: string | null = null;
  for (let at = id; ; ) {
    const known = heads.get(at);
    if (known !== undefined) head = known;
    const item = comments.get(at);
    if (known !== undefined || !item || item.isNote) break;
    if (item.parent === undefined) {
      head = at;
      break;
    }
    heads.set(at, null);
    line.push(at);
    at = item.parent;
  }
  for (const one of line) heads.set(one, head);
  return head;
}
