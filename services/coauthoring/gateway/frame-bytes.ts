import type { Socket } from 'node:net';
import * as ws from 'ws';
import { encodeEvent } from '../../../client/protocol/index.ts';
import type { Frame } from '../../../platform/ports/peer.ts';

/** What the transports keep with a frame. */
interface FrameBytes {
  /** The Socket.IO event, for an Engine.IO message on any transport. */
  event?: string;
  /** The WebSocket frame of the Engine.IO message with that event. */
  eventFrame?: Buffer;
  /** The WebSocket frame of the bare JSON. */
  jsonFrame?: Buffer;
}

const textFrame = { fin: true, rsv1: false, opcode: 1, mask: false, readOnly: true };

const bytesOf = (frame: Frame): FrameBytes => {
  frame.encoded ??= {};
  return frame.encoded as FrameBytes;
};

/** `ws` exports its sender, and with it the framing, without a type. */
const { Sender } = ws as unknown as {
  Sender: { frame(data: Buffer, options: typeof textFrame): Buffer[] };
};

/** Calls back when the socket has room for more. */
export function whenSocketDrained(socket: Socket, callback: () => void): void {
  if (socket.writableNeedDrain) socket.once('drain', callback);
  else callback();
}

/** A header says the length of what follows in 7, 16 or 64 bits: RFC 6455, section 5.2. */
const headerBytesFor = (bytes: number): number => (bytes < 126 ? 2 : bytes < 65_536 ? 4 : 10);

/**
 * Header and text in one piece: many get the same bytes, and one write of one buffer is less work than one of two. The text is put
 * where it goes at once, since a copy of a large one holds up everybody.
 */
export function websocketFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const headerBytes = headerBytesFor(bytes);
  const frame = Buffer.allocUnsafe(headerBytes + bytes);
  Sender.frame(frame.subarray(headerBytes), textFrame)[0]!.copy(frame);
  frame.write(text, headerBytes);
  return frame;
}

export function eventOf(frame: Frame): string {
  const bytes = bytesOf(frame);
  bytes.event ??= encodeEvent(frame.json);
  return bytes.event;
}

export function eventFrameOf(frame: Frame): Buffer {
  const bytes = bytesOf(frame);
  // '4' is Engine.IO's packet type `message`.
  bytes.eventFrame ??= websocketFrame(`4${encodeEvent(frame.json)}`);
  return bytes.eventFrame;
}

export function jsonFrameOf(frame: Frame): Buffer {
  const bytes = bytesOf(frame);
  bytes.jsonFrame ??= websocketFrame(frame.json);
  return bytes.jsonFrame;
}
