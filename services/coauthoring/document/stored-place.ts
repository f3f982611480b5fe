import type { SaveChanges } from '../../../client/protocol/index.ts';
import type { StoredBatch } from '../../../platform/ports/change-log.ts';
import { changesFrom } from './changes-message.ts';
import type { Member } from './member.ts';
import type { OpenDocument } from './open-document.ts';

/** Where a part of a save is in the log, and since when: what its acknowledgement says. */
export type StoredPlace = Pick<StoredBatch, 'firstIndex' | 'nextIndex' | 'savedAtMs'>;

/**
 * Where a part of a save is stored already, byte for byte and by the same user, at the index it belongs to;
 * null: it is not. Rejects when the change log does not answer.
 */
export async function storedAlready(
  document: OpenDocument,
  member: Member,
  part: SaveChanges,
  changes: readonly string[],
): Promise<StoredPlace | null> {
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

/** Where the changes at `index` are, if they are these and this user made them all. */
async function storedAt(
  document: OpenDocument,
  index: number | null,
  member: Member,
  changes: readonly string[],
): Promise<StoredPlace | null> {
  const { endIndex, key, ports } = document;
  if (index === null || index + changes.length > endIndex) return null;
  const nextIndex = index + changes.length;
  const stored: string[] = [];
  let savedAtMs = 0;
  for await (const page of ports.log.read(key, index, nextIndex)) {
    for (const batch of page) {
      if (batch.author.uniqueId !== member.author.uniqueId) return null;
      const some = await changesFrom(batch, index, () => member.peer.turn());
      for (const change of some) if (stored.length < changes.length) stored.push(change);
      savedAtMs = batch.savedAtMs;
    }
  }
  if (!areSame(stored, changes)) return null;
  return { firstIndex: index, nextIndex, savedAtMs };
}

const areSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((change, at) => change === others[at]);

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
): Promise<StoredPlace | null> {
  const { returnedToIndex, claimedIndex, lastFirstIndex } = member.save;
  if (part.quireIndex !== undefined || !part.reSave) return null;
  if (returnedToIndex === null || lastFirstIndex !== null) return null;
  // The client knows everything up to where it returned, and no more: so it made this part after that.
  const length = claimedIndex === returnedToIndex ? 0 : changes.length;
  const fromIndex = Math.max(0, returnedToIndex - length);
  const { endIndex, key, ports } = document;
  if (fromIndex >= endIndex) return null;
  for await (const page of ports.log.read(key, fromIndex, endIndex)) {
    for (const batch of page) {
      if (batch.author.uniqueId !== member.author.uniqueId || batch.firstIndex < fromIndex) continue;
      if ((part.deleteIndex ?? -1) >= 0 && part.deleteIndex !== batch.firstIndex) continue;
      const stored = await changesFrom(batch, batch.firstIndex, () => member.peer.turn());
      if (areSame(stored, changes)) return batch;
    }
  }
  return null;
}
