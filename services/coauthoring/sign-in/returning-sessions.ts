import { type AuthRequest, DisconnectCode } from '../../../client/protocol/index.ts';
import type { DocumentRow } from '../../../db/document-row.ts';
import type { Documents } from '../../../db/documents.ts';
import { cleanText } from '../../../platform/foreign-text.ts';
import { isViewer } from '../auth/identity.ts';
import { isSessionId, sessionIdOf } from '../auth/session-credentials.ts';
import { closed } from '../document/member.ts';
import type { Attachment } from './attachment.ts';
import { refuse, refuseUnknownModel, type SignInAttempt, type SignInResult } from './sign-in-attempt.ts';

/** Sessions that lost their connection and come back. */
export class ReturningSessions {
  readonly #documents: Documents;
  readonly #sessionSecret: string;
  readonly #attachment: Attachment;

  constructor(documents: Documents, sessionSecret: string, attachment: Attachment) {
    this.#documents = documents;
    this.#sessionSecret = sessionSecret;
    this.#attachment = attachment;
  }

  /** Back into a session. Runs in line with the document's other messages. */
  async restore(attempt: SignInAttempt): Promise<SignInResult> {
    const { connection, actor, key, request, connectedAtMs } = attempt;
    const documents = this.#documents;
    const attachment = this.#attachment;
    const { index, uniqueId } = this.#userOf(attempt);
    const viewer = isViewer(request);
    const wasClosed = request.isCloseCoAuthoring === true;
    const edits = !viewer && !wasClosed;
    const row = edits ? await this.#resumed(attempt) : await documents.find(key);
    if (row) refuseUnknownModel(attempt, row);
    // The callback address is the one that came with the opening: a session token does not vouch for another.
    const opening = await documents.openingOf(key, index, connectedAtMs ?? 0);
    const knownOnlyHere = actor.document.members.size === 0 && !actor.document.isOpen;
    if (row) await attachment.update(attempt, row);
    const member = attachment.memberOf(attempt, row, {
      userIndex: index,
      uniqueId,
      connectedAtMs: connectedAtMs ?? Date.now(),
      callbackUrl: opening?.callbackUrl ?? null,
    });
    if (edits) {
      let refusal = await checkRestore(documents, row, request, uniqueId, opening !== null);
      if (!refusal && attempt.lockLost) refusal = locksLost;
      if (refusal) return attachment.softError(attempt, member, refusal);
    }
    if (!row) throw refuse(connection, DisconnectCode.noCache, 'Other error');
    if (edits && knownOnlyHere && (await documents.openedByMany(key))) actor.document.givenOut(row.nextIndex);
    if (viewer && member.live && !wasClosed) {
      const isIntact = actor.isIntactForViewersSince(member.sessionTimeConnectMs);
      if (!isIntact || (await hasMissed(documents, row, request, uniqueId))) {
        return attachment.softError(attempt, member, documentModified);
      }
    }
    if (wasClosed) closed(member, { asViewer: true });
    const isUpToDate = async () => {
      const now = await documents.find(key);
      return now !== null && !(await hasMissed(documents, now, request, uniqueId));
    };
    const followsAlong = !wasClosed && (!viewer || member.live);
    return attachment.join(attempt, member, {
      restored: true,
      isUpToDate: followsAlong && request.quireSyncIndex === undefined ? isUpToDate : null,
      hasForgotten: false,
      usedUp: false,
    });
  }

  /** Whose session it is. @throws Refused when the connection does not show the session's id */
  #userOf({ connection, key, request, connectedAtMs }: SignInAttempt): { index: number; uniqueId: string } {
    const userId = cleanText(String(request.user?.id ?? ''));
    const index = request.user?.indexUser ?? -1;
    const uniqueId = `${userId}${index}`;
    const sessionId = sessionIdOf(this.#sessionSecret, key, uniqueId, connectedAtMs ?? 0);
    if (index < 1 || !isSessionId(request.sessionId ?? '', sessionId)) {
      throw refuse(connection, DisconnectCode.accessDeny, 'access deny');
    }
    return { index, uniqueId };
  }

  /** The document of an editor who comes back, which is opened again where it was delivered or given up meanwhile. */
  async #resumed(attempt: SignInAttempt): Promise<DocumentRow | null> {
    const { connection, actor, key } = attempt;
    // The first who comes back here must not open again what this server does not know.
    const before = actor.document.members.size === 0 ? await this.#documents.find(key) : null;
    if (before) refuseUnknownModel(attempt, before);
    const row = await this.#documents.resume(key, connection.handshake.baseUrl);
    if (row?.state !== 'delivering' && row?.state !== 'forgotten') return row;
    // The address of the file was given when the document was opened; a session may not give another.
    return this.#documents.reopen(key, { url: row.sourceUrl, vouched: row.sourceVouched });
  }
}

/** Why a session cannot go on; `code` null for an error the protocol gives no number. */
interface RestoreRefusal {
  code: number | null;
  description: string;
}

/**
 * Whether an editor that lost its connection may go on where it was: the document must still take changes, its log must
 * be the one the session began with, and the client must have, or be able to get, every change that others made. What
 * a client was given is never rewritten (`historyFloor`), so the number of changes it has says which ones they are.
 *
 * A client that says how many changes it has is given the rest. A client that does not say it gives the time of the
 * newest change of others that it has. No two saves of a document have the same time, so the time names one save, and one that
 * names none is not believed. A client that keeps whole seconds may go on only where they leave no doubt: else one document would become two.
 */
async function checkRestore(
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
  // Nothing can be missed while the source is being opened; the client repeats its open command.
  if (row.state !== 'open' && row.state !== 'opening') return { code: null, description: 'Other error' };
  if (!hasOpening) {
    return { code: DisconnectCode.updateVersion, description: 'Update Version error' };
  }
  return (await hasMissed(documents, row, request, uniqueId)) ? documentModified : null;
}

/** The client's document is another one than that of the log. */
const documentModified: RestoreRefusal = {
  code: DisconnectCode.restore,
  description: 'Restore error. Document modified.',
};

const locksLost: RestoreRefusal = {
  code: DisconnectCode.restore,
  description: 'Restore error. Locks not checked.',
};

/** Whether a returning client may have missed a change that it cannot be given. */
async function hasMissed(
  documents: Documents,
  row: DocumentRow,
  request: AuthRequest,
  uniqueId: string,
): Promise<boolean> {
  if (request.quireSyncIndex !== undefined) return request.quireSyncIndex > row.nextIndex;
  const [newestMs, beforeMs] = await documents.newestSavesOfOthers(row.key, uniqueId);
  if (newestMs === undefined) return false;
  const seenMs = request.lastOtherSaveTime ?? -1;
  if (seenMs % 1_000 !== 0) return seenMs !== newestMs || beforeMs === newestMs;
  // A client that keeps whole seconds names every save of that second.
  const newestSecond = Math.floor(newestMs / 1_000);
  const seenSecond = seenMs / 1_000;
  if (seenSecond !== newestSecond) return true;
  const sharesSecond = beforeMs !== undefined && Math.floor(beforeMs / 1_000) === newestSecond;
  return sharesSecond && (seenMs !== newestMs || beforeMs === newestMs);
}
