import { websocketMaxPayloadSize } from '../../../client/protocol/index.ts';
import { batchFrom, changeObjects } from './changes-message.ts';
import { Frame } from './frame.ts';
import type { Member } from './member.ts';
import type { OpenDocument } from './open-document.ts';

/** Messages are closed when they reach this size; the last batch in one may exceed it. */
const messageCharacters = websocketMaxPayloadSize;

/**
 * Sends a newcomer the log up to `endIndex` as `authChanges`, paced by its acknowledgements when it gives any: at most
 * one message is under way, so a slow newcomer holds one message of memory. Resolves with whether it got everything.
 */
export async function sendHistory(
  document: OpenDocument,
  member: Member,
  endIndex: number,
  acknowledges: boolean,
): Promise<boolean> {
  for await (const objects of packed(document, 0, endIndex)) {
    if (!document.members.has(member.peer.id)) return false;
    const acked = acknowledges ? acknowledgement(document, member) : null;
    member.peer.send(new Frame(`{"type":"authChanges","changes":[${objects}]}`));
    if (acked && !(await acked)) return false;
  }
  return document.members.has(member.peer.id);
}

/** Sends a returning client what it missed, as the `saveChanges` it would have got. */
export async function sendMissed(document: OpenDocument, member: Member, fromIndex: number): Promise<void> {
  for await (const page of document.ports.log.read(document.key, fromIndex, document.endIndex)) {
    for (const stored of page) {
      const { batch, changes } = batchFrom(stored, fromIndex);
      const head = `{"type":"saveChanges","changes":[${changeObjects(document.key, batch, changes)}]`;
      const tail = `"changesIndex":${batch.nextIndex},"syncChangesIndex":${batch.nextIndex}`;
      member.peer.send(new Frame(`${head},${tail},"endSaveChanges":true,"locks":[]}`));
    }
  }
}

/** The changes of `[fromIndex, endIndex)` as JSON object lists, each about as long as a message may be. */
async function* packed(document: OpenDocument, fromIndex: number, endIndex: number): AsyncGenerator<string> {
  let objects: string[] = [];
  let characters = 0;
  for await (const page of document.ports.log.read(document.key, fromIndex, endIndex)) {
    for (const stored of page) {
      const { batch, changes } = batchFrom(stored, fromIndex);
      const text = changeObjects(document.key, batch, changes);
      objects.push(text);
      characters += text.length;
      if (characters >= messageCharacters) {
        yield objects.join(',');
        objects = [];
        characters = 0;
      }
    }
  }
  if (objects.length > 0) yield objects.join(',');
}

/** Resolves true with the next acknowledgement, false when it does not come in time. */
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
