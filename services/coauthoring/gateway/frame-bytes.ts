import type { Socket } from 'node:net';
import * as ws from 'ws';
import { aroundEvent, encodeEvent } from '../../../client/protocol/index.ts';
import type { Turn } from '../../../platform/json-in-turns/turn.ts';
import { type Frame, longCharacters } from '../../../platform/ports/peer.ts';

/** What the transports keep with a frame. */
interface FrameBytes {
  /** The Socket.IO event, for an Engine.IO message on any transport. */
  event?: string;
  /** The WebSocket frame of the Engine.IO message with that event. */
  eventFrame?: Buffer;
  /** The WebSocket frame of the bare JSON. */
  jsonFrame?: Buffer;
}

/** Engine.IO's packet type `message`. */
export const engineMessage = '4';

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
  const { frame, headerBytes } = headed(Buffer.byteLength(text));
  frame.write(text, headerBytes);
  return frame;
}

/** The frame of so many bytes of text, which are still to be written behind its header. */
function headed(bytes: number): { frame: Buffer; headerBytes: number } {
  const headerBytes = headerBytesFor(bytes);
  const frame = Buffer.allocUnsafe(headerBytes + bytes);
  Sender.frame(frame.subarray(headerBytes), textFrame)[0]!.copy(frame);
  return { frame, headerBytes };
}

/** The same as `websocketFrame` of the parts together, none of which is long. */
async function websocketFrameOf(parts: readonly string[], turn: Turn): Promise<Buffer> {
  let bytes = 0;
  for (const part of parts) bytes += Buffer.byteLength(part);
  const { frame, headerBytes } = headed(bytes);
  let at = headerBytes;
  let turnAt = at;
  for (const part of parts) {
    if (at - turnAt >= longCharacters) {
      await turn();
      turnAt = at;
    }
    at += frame.write(part, at);
  }
  return frame;
}

export function eventOf(frame: Frame): string {
  const bytes = bytesOf(frame);
  bytes.event ??= encodeEvent(frame.json);
  return bytes.event;
}

export function eventFrameOf(frame: Frame): Buffer {
  const bytes = bytesOf(frame);
  bytes.eventFrame ??= websocketFrame(`${engineMessage}${encodeEvent(frame.json)}`);
  return bytes.eventFrame;
}

/** Makes what `eventFrameOf` gives, in turns. */
export async function prepareEventFrame(frame: Frame, turn: Turn): Promise<void> {
  const bytes = bytesOf(frame);
  const { before, after } = aroundEvent;
  bytes.eventFrame ??= await websocketFrameOf([engineMessage + before, ...frame.parts, after], turn);
}

export function jsonFrameOf(frame: Frame): Buffer {
  const bytes = bytesOf(frame);
  bytes.jsonFrame ??= websocketFrame(frame.json);
  return bytes.jsonFrame;
}

/** Makes what `jsonFrameOf` gives, in turns. */
export async function prepareJsonFrame(frame: Frame, turn: Turn): Promise<void> {
  const bytes = bytesOf(frame);
  bytes.jsonFrame ??= await websocketFrameOf(frame.parts, turn);
}
