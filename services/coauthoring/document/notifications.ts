import { DisconnectCode, ForceSaveType } from '../../../client/protocol/index.ts';
import type { StoredAtIntegrator } from './log-end.ts';
import { isEditor } from './member.ts';
import type { DocumentNotification } from './node-messages.ts';
import { type OpenDocument, send } from './open-document.ts';

/** Tells the people here of something that was learned on whatever node. */
export function deliver(document: OpenDocument, notice: DocumentNotification): void {
  switch (notice.t) {
    // The integrator takes no file of the document.
    case 'refused':
      if (document.stored.refusedSinceMs === notice.sinceMs) return;
      announceStored(document, { ...document.stored, refusedSinceMs: notice.sinceMs });
      return;
    // How a forced save ended, or that one was begun by the timer, and what the integrator has now.
    case 'force-save':
      if (notice.stored) announceStored(document, notice.stored);
      // A form that was submitted is of interest to whoever did, and is answered there.
      if (notice.message.type === ForceSaveType.form) return;
      document.broadcast({ type: 'forceSave', messages: notice.message }, isEditor);
      return;
    // The document was saved under its key for the last time.
    case 'ended':
      if (notice.stored) announceStored(document, notice.stored);
      document.broadcast({ type: 'updateVersion', success: notice.success }, () => true);
      return;
    // They, or those of some users, are sent away; that they stop by themselves is not relied upon.
    case 'drop':
      for (const member of document.members.values()) {
        if (notice.userIds !== null && !notice.userIds.includes(member.author.userId)) continue;
        send(member, { type: 'drop', code: DisconnectCode.drop, description: 'drop' });
        member.peer.dismiss(DisconnectCode.drop, 'drop');
      }
      return;
    case 'everybody':
      document.broadcast(notice.message, () => true);
      return;
    case 'connection':
      document.broadcast(notice.message, ({ peer }) => peer.id === notice.connectionId);
      return;
    case 'source-changed':
      for (const { peer } of document.members.values()) {
        peer.dismiss(DisconnectCode.updateVersion, 'The file of the document has changed.');
      }
  }
}

function announceStored(document: OpenDocument, stored: StoredAtIntegrator): void {
  document.storedChanged(stored);
  document.broadcastStored();
}
