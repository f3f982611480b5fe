import type { Author } from '../../../platform/ports/change-log.ts';
import { Frame } from '../../../platform/ports/peer.ts';
import { batchFrom, changeObjects } from './changes-message.ts';
import type { Member } from './member.ts';
import type { OpenDocument } from './open-document.ts';

/**
 * Sends a newcomer the changes `[firstIndex, endIndex)` as `authChanges`, paced by its acknowledgements, or by its socket when it
 * gives none: at most one message is under way, so a slow newcomer holds one message of memory. Clients that announce
 * acknowledgements and never send one are taken, after a time, for clients that give none. Resolves with whether it got
 * everything.
 */
export async function sendHistory(
  document: OpenDocument,
  member: Member,
  { firstIndex, endIndex }: { firstIndex: number; endIndex: number },
  acknowledges: boolean,
): Promise<boolean> {
  const stillJoins = () => document.members.has(member.peer.id) && member.state === 'joining';
  let isPaced = acknowledges;
  for await (const frame of document.history.between(firstIndex, endIndex)) {
    if (!stillJoins()) return false;
    const received = isPaced ? acknowledgement(document, member) : null;
    member.peer.send(frame);
    isPaced = (await received) ?? false;
    if (!isPaced && !(await drained(document, member))) return false;
  }
  return stillJoins();
}

/** Sends a client what it has not got, as the `saveChanges` it would have got. */
export async function sendMissed(document: OpenDocument, member: Member, fromIndex: number): Promise<void> {
  for await (const { frame } of missed(document, fromIndex, document.endIndex)) member.peer.send(frame);
}

/** The changes `[fromIndex, endIndex)` as the broadcasts of their saves, with who made them. */
export async function* missed(
  document: OpenDocument,
  fromIndex: number,
  endIndex: number,
): AsyncGenerator<{ author: Author; frame: Frame }> {
  for await (const page of document.ports.log.read(document.key, fromIndex, endIndex)) {
    for (const stored of page) {
      const { batch, changes } = batchFrom(stored, fromIndex);
      const head = `{"type":"saveChanges","changes":[${changeObjects(document.key, batch, changes)}]`;
      const tail = `"changesIndex":${batch.nextIndex},"syncChangesIndex":${batch.nextIndex}`;
      const frame = new Frame(`${head},${tail},"endSaveChanges":true,"locks":[]}`);
      yield { author: stored.author, frame };
    }
  }
}

/** Resolves true with the next acknowledgement, false when it does not come in time, or its member goes. */
function acknowledgement(document: OpenDocument, member: Member): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle(false), document.ports.times.historyAckMs);
    const settle = (acknowledged: boolean) => {
      clearTimeout(timer);
      member.historyAck = null;
      resolve(acknowledged);
    };
    member.historyAck = settle;
  });
}

/** Resolves true when what was sent has left, or at least found room with the peer; false when that takes too long. */
function drained(document: OpenDocument, member: Member): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), document.ports.times.historyAckMs);
    member.peer.whenDrained(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
