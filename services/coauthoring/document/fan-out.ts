import type { Frame } from '../../../platform/ports/peer.ts';
import type { Member } from './member.ts';

/** Who receives this much is not waited for in vain, characters in a millisecond. */
const leastCharactersPerMs = 2_000;
/** So short a time nobody waits, milliseconds. */
const leastWaitMs = 5;

/**
 * Sends a message to many. Where it is large and some have no room for it, they are given the time that a receiver of moderate
 * speed needs for it, and no more: a document goes on at that speed at least, whoever reads slowly or not at all.
 */
export async function fanOut(receivers: readonly Member[], frame: Frame): Promise<void> {
  const waitMs = frame.characters / leastCharactersPerMs;
  const isLarge = waitMs >= leastWaitMs;
  for (const { peer } of isLarge ? receivers : []) await peer.prepare(frame);
  const full = isLarge ? receivers.filter(({ peer }) => !peer.hasRoom(frame)) : [];
  if (full.length > 0) await drained(full, waitMs);
  for (const { peer } of receivers) peer.send(frame);
}

/** Resolves when nothing waits for these members any more, or after that time. */
function drained(members: readonly Member[], mostMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, mostMs);
    let left = members.length;
    const oneDrained = () => {
      left -= 1;
      if (left > 0) return;
      clearTimeout(timer);
      resolve();
    };
    for (const { peer } of members) peer.whenDrained(oneDrained);
  });
}
