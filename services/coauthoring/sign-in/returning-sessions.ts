import { DisconnectCode } from '../../../client/protocol/index.ts';
import type { Documents } from '../../../db/documents.ts';
import { cleanText, isViewer } from '../auth/identity.ts';
import { isSessionId, sessionIdOf } from '../auth/session-id.ts';
import type { Attachment } from './attachment.ts';
import { checkRestore, documentModified, hasMissed } from './restore-check.ts';
import { refuse, type SignInAttempt, type SignInResult } from './sign-in-attempt.ts';

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
    const userId = cleanText(String(request.user?.id ?? ''));
    const index = request.user?.indexUser ?? -1;
    const uniqueId = `${userId}${index}`;
    const sessionId = sessionIdOf(this.#sessionSecret, key, uniqueId, connectedAtMs ?? 0);
    if (index < 1 || !isSessionId(request.sessionId ?? '', sessionId)) {
      throw refuse(connection, DisconnectCode.accessDeny, 'access deny');
    }
    const viewer = isViewer(request);
    const wasClosed = request.isCloseCoAuthoring === true;
    let row =
      viewer || wasClosed
        ? await documents.find(key)
        : await documents.resume(key, connection.handshake.baseUrl);
    if (row && !viewer && !wasClosed && (row.state === 'delivering' || row.state === 'forgotten')) {
      // Where its file is was said when the document was opened, and is not for a session to say.
      row = await documents.reopen(key, { url: row.sourceUrl, vouched: row.sourceVouched });
    }
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
    if (!viewer && !wasClosed) {
      const refusal = await checkRestore(documents, row, request, uniqueId, opening !== null);
      if (!refusal && attempt.lockLost) {
        const description = 'Restore error. Locks not checked.';
        return attachment.softError(attempt, member, { code: DisconnectCode.restore, description });
      }
      if (refusal || !row) {
        return attachment.softError(
          attempt,
          member,
          refusal ?? { code: DisconnectCode.noCache, description: 'Other error' },
        );
      }
      if (knownOnlyHere && (await documents.openedByMany(key))) {
        actor.document.givenOut(row.nextIndex);
      }
    }
    if (!row) throw refuse(connection, DisconnectCode.noCache, 'Other error');
    if (viewer && member.live && !wasClosed) {
      const isIntact = actor.isIntactForViewersSince(member.sessionTimeConnectMs);
      if (!isIntact || (await hasMissed(documents, row, request, uniqueId))) {
        return attachment.softError(attempt, member, documentModified);
      }
    }
    if (wasClosed) {
      member.view = true;
      member.state = 'closed';
    }
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
}
