/** How messages of the protocol travel: inside Socket.IO events over a WebSocket or long-polling, or one per frame. */
export type TransportName = 'websocket' | 'polling' | 'plain';

/** A message made ready to be sent any number of times. Fields of fixed width may be written over in place. */
export type Prepared = Buffer;

/** Sizes of payload at which a WebSocket header grows (RFC 6455, 5.2). */
const shortPayload = 126;
const mediumPayload = 65_536;
const finalText = 0x81;
const masked = 0x80;

/**
 * A text as a complete WebSocket frame of a client. The mask is all zeros, which the standard allows and which leaves the
 * text as it is.
 */
function textFrame(text: string): Prepared {
  return frame(finalText, Buffer.from(text));
}

/** A frame of any kind. @param first the first byte: final bit and opcode */
export function frame(first: number, payload: Buffer): Prepared {
  const { length } = payload;
  const header = Buffer.alloc(length < shortPayload ? 6 : length < mediumPayload ? 8 : 14);
  header[0] = first;
  if (length < shortPayload) header[1] = masked | length;
  else if (length < mediumPayload) {
    header[1] = masked | 126;
    header.writeUInt16BE(length, 2);
  } else {
    header[1] = masked | 127;
    header.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([header, payload]);
}

/** What a transport puts around messages. */
export interface Envelope {
  /** Wraps a packet of Engine.IO; of a transport without these, a message. */
  frame(text: string): Prepared;
  textOf(message: object): string;
  /** Where the type of a message begins in what comes in: it is its first member. */
  readonly typeStart: number;
}

const eventOf = (message: object) => `42["message",${JSON.stringify(message)}]`;
const eventStart = '42["message",{"type":"'.length;

export const envelopes: Readonly<Record<TransportName, Envelope>> = {
  websocket: { frame: textFrame, textOf: eventOf, typeStart: eventStart },
  polling: { frame: (text) => Buffer.from(text), textOf: eventOf, typeStart: eventStart },
  plain: { frame: textFrame, textOf: (message) => JSON.stringify(message), typeStart: '{"type":"'.length },
};

export const prepare = (transport: TransportName, message: object): Prepared =>
  envelopes[transport].frame(envelopes[transport].textOf(message));

/** A message as a complete frame of Socket.IO over a WebSocket. */
export const frameOf = (message: object): Prepared => prepare('websocket', message);
