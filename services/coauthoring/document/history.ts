import { nextTurn } from '../../../platform/json-in-turns/turn.ts';
import type { Author } from '../../../platform/ports/change-log.ts';
import type { Frame } from '../../../platform/ports/peer.ts';
import { type BroadcastDetails, broadcastsOf, changesFrom, quoteAlone } from './changes-message.ts';
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
    await member.peer.prepare(frame);
    member.peer.send(frame);
    isPaced = (await received) ?? false;
    if (!isPaced && !(await drained(document, member))) return false;
  }
  return stillJoins();
}

/**
 * Sends a client what it has not got, as the `saveChanges` it would have got: at once as much as it has room for, the rest paced
 * by its socket. What it is sent from now on comes after that. Resolves before it has everything.
 */
export async function sendMissed(document: OpenDocument, { peer }: Member, fromIndex: number): Promise<void> {
  const frames = framesOf(missed(document, fromIndex, document.endIndex));
  for (let next = await frames.next(); !next.done; next = await frames.next()) {
    if (!peer.hasRoom(next.value)) return peer.sendPaced(beginningWith(next.value, frames));
    await peer.prepare(next.value);
    peer.send(next.value);
  }
}

async function* framesOf(all: AsyncIterable<{ frame: Frame }>): AsyncGenerator<Frame, void, undefined> {
  for await (const { frame } of all) yield frame;
}

async function* beginningWith(first: Frame, rest: AsyncIterable<Frame>): AsyncGenerator<Frame> {
  yield first;
  yield* rest;
}

/** The changes `[fromIndex, endIndex)` as the broadcasts of their saves, with who made them. */
export async function* missed(
  document: OpenDocument,
  fromIndex: number,
  endIndex: number,
): AsyncGenerator<{ author: Author; frame: Frame }> {
  for await (const page of document.ports.log.read(document.key, fromIndex, endIndex)) {
    for (const stored of page) {
      const changes = await changesFrom(stored, fromIndex, nextTurn);
      const quotedAlone = await quoteAlone(stored, nextTurn);
      for (const frame of broadcastsOf(document.key, stored, changes, wholeSave, quotedAlone))
        yield { author: stored.author, frame };
    }
  }
}

/** Of what is read from the log nothing is known but the changes. */
const wholeSave: BroadcastDetails = { isLast: true, locks: [], excelAdditionalInfo: null };

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
