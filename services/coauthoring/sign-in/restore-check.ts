import { type AuthRequest, DisconnectCode } from '../../../client/protocol/index.ts';
import type { DocumentRow } from '../../../db/document-row.ts';
import type { Documents } from '../../../db/documents.ts';

/** Why a session cannot go on; `code` null for an error the protocol gives no number. */
export interface RestoreRefusal {
  code: number | null;
  description: string;
}

/**
 * Whether an editor that lost its connection may go on where it was: the document must still take changes, its log must
 * be the one the session began with, and the client must have, or be able to get, every change that others made. What
 * a client was given is never rewritten (`historyFloor`), so the number of changes it has says which ones they are.
 *
 * A client that says how many changes it has is given the rest. One that does not says the time of the newest change of
 * others that it has. No two saves of a document have the same time, so that is a save; a client that keeps whole
 * seconds is let go on only where they leave no doubt: else two documents would be made of one.
 */
export async function checkRestore(
  documents: Documents,
  row: DocumentRow | null,
  request: AuthRequest,
  uniqueId: string,
  hasOpening: boolean,
): Promise<RestoreRefusal | null> {
  if (!row) return { code: DisconnectCode.noCache, description: 'Other error' };
  if (row.state === 'delivering' || row.state === 'closed' || row.state === 'assembling') {
    return { code: DisconnectCode.updateVersion, description: 'Update Version error' };
  }
  // While the source is being opened there is nothing to have missed; the client repeats its open command.
  if (row.state !== 'open' && row.state !== 'opening') return { code: null, description: 'Other error' };
  if (!hasOpening) {
    return { code: DisconnectCode.updateVersion, description: 'Update Version error' };
  }
  return (await hasMissed(documents, row, request, uniqueId)) ? documentModified : null;
}

/** The client's document is another one than that of the log. */
export const documentModified: RestoreRefusal = {
  code: DisconnectCode.restore,
  description: 'Restore error. Document modified.',
};

/** Whether a returning client may have missed a change that it cannot be given. */
export async function hasMissed(
  documents: Documents,
  row: DocumentRow,
  request: AuthRequest,
  uniqueId: string,
): Promise<boolean> {
  if (request.quireSyncIndex !== undefined) return request.quireSyncIndex > row.nextIndex;
  const [newestMs, beforeMs] = await documents.newestSavesOfOthers(row.key, uniqueId);
  if (newestMs === undefined) return false;
  const seenMs = request.lastOtherSaveTime ?? -1;
  if (seenMs % 1_000 !== 0) return seenMs < newestMs || (seenMs === newestMs && beforeMs === newestMs);
  // A client that keeps whole seconds names every save of that second.
  const newestSecond = Math.floor(newestMs / 1_000);
  const seenSecond = seenMs / 1_000;
  if (seenSecond !== newestSecond) return seenSecond < newestSecond;
  const sharesSecond = beforeMs !== undefined && Math.floor(beforeMs / 1_000) === newestSecond;
  return sharesSecond && (seenMs !== newestMs || beforeMs === newestMs);
}
