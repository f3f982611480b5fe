import type { Duplex } from 'node:stream';

/**
 * Answers a request for an upgrade that is not granted, and lets go of its connection: a peer that keeps its end open would else keep a
 * descriptor, which nobody counts any more. The connection goes when the callback of the write has returned: ended within it, Node
 * makes an error for the write, which is a tenth of what a refusal costs.
 */
export function refuseUpgrade(socket: Duplex, answer: string): void {
  socket.write(answer, () => setImmediate(() => socket.destroy()));
}
