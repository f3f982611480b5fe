import type { Duplex } from 'node:stream';

/**
 * Answers a request for an upgrade that is not granted, and lets go of its connection at once: a peer that keeps its end open would
 * else keep a descriptor, which nobody counts any more.
 */
export function refuseUpgrade(socket: Duplex, answer: string): void {
  socket.write(answer, () => socket.destroy());
}
