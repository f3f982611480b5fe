import type { SaveChanges } from '../../../client/protocol/index.ts';
import type { StoredBatch } from '../../../platform/ports/change-log.ts';
import type { Member } from './member.ts';
import type { OpenDocument } from './open-document.ts';

/**
 * The batch as which a part of a save is stored already, byte for byte and by the same user, at the index it belongs to;
 * null: it is not. Rejects when the change log does not answer.
 */
export async function storedAlready(
  document: OpenDocument,
  member: Member,
  part: SaveChanges,
  changes: readonly string[],
): Promise<StoredBatch | null> {
  if (changes.length === 0) return null;
  return (
    (await storedAt(document, placeOf(member, part), member, changes)) ??
    (await storedBeforeReturning(document, member, part, changes))
  );
}

/**
 * Where a part belongs, if it was sent before: the client says it (`quireIndex`), or it is what it asked the save lock
 * with, or, when it did not ask again, where its last part went.
 */
function placeOf(member: Member, part: SaveChanges): number | null {
  if (part.quireIndex !== undefined) return part.quireIndex;
  const { claimedIndex, lastFirstIndex, midSave } = member.save;
  if (claimedIndex === null) return midSave && !part.reSave ? null : lastFirstIndex;
  return lastFirstIndex === null || part.reSave ? claimedIndex : null;
}

/** The changes at `index` as a batch, if they are these and this user made them all. */
async function storedAt(
  document: OpenDocument,
  index: number | null,
  member: Member,
  changes: readonly string[],
): Promise<StoredBatch | null> {
  const { endIndex, key, ports } = document;
  if (index === null || index + changes.length > endIndex) return null;
  const nextIndex = index + changes.length;
  const stored: string[] = [];
  let savedAtMs = 0;
  for await (const page of ports.log.read(key, index, nextIndex)) {
    for (const batch of page) {
      if (batch.author.uniqueId !== member.author.uniqueId) return null;
      const first = Math.max(index, batch.firstIndex) - batch.firstIndex;
      const end = Math.min(nextIndex, batch.nextIndex) - batch.firstIndex;
      stored.push(...(JSON.parse(batch.changes) as string[]).slice(first, end));
      savedAtMs = batch.savedAtMs;
    }
  }
  const text = JSON.stringify(changes);
  if (JSON.stringify(stored) !== text) return null;
  return { firstIndex: index, nextIndex, author: member.author, savedAtMs, changes: text };
}

/**
 * The part that a session did not get the answer to before it returned. Once others have saved, what its client asks the
 * save lock with no longer says where that part belongs: their changes are in that count, its own are not. As nothing
 * was stored for this connection yet, the part is the last the session stored, at the end of the log it returned to,
 * or came after that from its earlier connection.
 */
async function storedBeforeReturning(
  document: OpenDocument,
  member: Member,
  part: SaveChanges,
  changes: readonly string[],
): Promise<StoredBatch | null> {
  const { returnedToIndex, claimedIndex, lastFirstIndex } = member.save;
  if (part.quireIndex !== undefined || !part.reSave) return null;
  if (returnedToIndex === null || lastFirstIndex !== null) return null;
  // Who has heard of everything it returned to, and of no more, made this part after it.
  const length = claimedIndex === returnedToIndex ? 0 : changes.length;
  const fromIndex = Math.max(0, returnedToIndex - length);
  const { endIndex, key, ports } = document;
  if (fromIndex >= endIndex) return null;
  const text = JSON.stringify(changes);
  for await (const page of ports.log.read(key, fromIndex, endIndex)) {
    for (const batch of page) {
      if (batch.author.uniqueId !== member.author.uniqueId || batch.firstIndex < fromIndex) continue;
      if ((part.deleteIndex ?? -1) >= 0 && part.deleteIndex !== batch.firstIndex) continue;
      if (JSON.stringify(JSON.parse(batch.changes)) === text) return batch;
    }
  }
  return null;
}
