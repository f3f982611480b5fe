import { type AuthRequest, DisconnectCode } from '../../client/protocol/index.ts';
import type { DocumentRow } from '../../db/document-row.ts';
import type { Documents } from '../../db/documents.ts';

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
 * A client that says how many changes it has is given the rest. One that does not can only be compared by time, in
 * whole seconds: when two saves of others share the newest second it may have missed one of them, and letting it go on
 * would make two documents of one.
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
  const modified = { code: DisconnectCode.restore, description: 'Restore error. Document modified.' };
  if (request.quireSyncIndex !== undefined) {
    return request.quireSyncIndex > row.nextIndex ? modified : null;
  }
  const newest = await documents.lastChangeOfOthers(row.key, uniqueId);
  if (!newest) return null;
  const newestSecond = Math.floor(newest.savedAtMs / 1000);
  const seenSecond = Math.floor((request.lastOtherSaveTime ?? -1) / 1000);
  if (seenSecond > newestSecond) return null;
  return seenSecond < newestSecond || newest.saves > 1 ? modified : null;
}
