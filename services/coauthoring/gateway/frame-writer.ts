import type { Socket } from 'node:net';
import { WebSocket } from 'ws';

/** A `ws` socket with the parts of it that are not in its types. */
export type WritableWebSocket = Pick<WebSocket, 'bufferedAmount' | 'readyState'> & {
  _socket: Pick<Socket, 'write' | 'cork' | 'uncork'>;
};

/** Frames up to this much together are copied into one buffer, which costs less than a write of several; bytes. */
const copiedBytes = 16_384;
/** So much does not wait for the end of the turn, bytes. */
const waitingBytes = 65_536;

interface Waiting {
  frames: Buffer[];
  bytes: number;
}

/**
 * Writes complete frames to WebSockets. What goes to one of them in a turn of the event loop leaves with one write when the turn
 * ends: writes to sockets are most of what messages to many cost, and people who join get several messages at once.
 */
export class FrameWriter {
  #waiting = new Map<WritableWebSocket, Waiting>();
  #isDue = false;

  write(webSocket: WritableWebSocket, frame: Buffer): void {
    const waiting = this.#waiting.get(webSocket);
    if (waiting) {
      waiting.frames.push(frame);
      waiting.bytes += frame.length;
      if (waiting.bytes > waitingBytes) this.flush(webSocket);
      return;
    }
    this.#waiting.set(webSocket, { frames: [frame], bytes: frame.length });
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      const all = this.#waiting;
      this.#waiting = new Map();
      for (const [one, { frames, bytes }] of all) send(one, frames, bytes);
    });
  }

  /** What was written and has not left, bytes. */
  queuedBytes(webSocket: WritableWebSocket): number {
    return webSocket.bufferedAmount + (this.#waiting.get(webSocket)?.bytes ?? 0);
  }

  /** Hands everything that waits for a socket to it. */
  flush(webSocket: WritableWebSocket): void {
    const waiting = this.#waiting.get(webSocket);
    if (!waiting) return;
    this.#waiting.delete(webSocket);
    send(webSocket, waiting.frames, waiting.bytes);
  }
}

function send(
  { _socket: socket, readyState }: WritableWebSocket,
  frames: readonly Buffer[],
  bytes: number,
): void {
  // What is on its way to a peer that is going is lost with it.
  if (readyState !== WebSocket.OPEN) return;
  if (frames.length === 1) return void socket.write(frames[0]!);
  if (bytes <= copiedBytes) return void socket.write(Buffer.concat(frames, bytes));
  socket.cork();
  for (const frame of frames) socket.write(frame);
  socket.uncork();
}
