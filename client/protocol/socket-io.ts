/**
 * Socket.IO 5 packets of the default namespace, as they travel inside Engine.IO 4 messages. The protocol
 * uses one event, `message`, with one argument, and neither acknowledgements nor attachments nor other
 * namespaces: packets with those are refused by name rather than half understood.
 */
export type SocketIoPacket =
  | { kind: 'connect'; auth: unknown }
  | { kind: 'disconnect' }
  | { kind: 'event'; message: unknown }
  | { kind: 'connect-error'; data: unknown }
  | { kind: 'refused'; reason: SocketIoRefusal };

export type SocketIoRefusal = 'empty' | 'namespace' | 'ack' | 'binary' | 'packet-type' | 'json' | 'event';

const refused = (reason: SocketIoRefusal): SocketIoPacket => ({ kind: 'refused', reason });

const notJson = Symbol('not JSON');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return notJson;
  }
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** The event name's JSON and the comma: what a usual event begins with, so that its argument is parsed alone. */
const eventPrefix = '2["message",';

function decodeEvent(packet: string): SocketIoPacket {
  if (isDigit(packet, 1)) return refused('ack');
  if (packet.startsWith(eventPrefix) && packet.endsWith(']')) {
    const message = parseJson(packet.slice(eventPrefix.length, -1));
    if (message !== notJson) return { kind: 'event', message };
  }
  const event = parseJson(packet.slice(1));
  if (event === notJson) return refused('json');
  if (!Array.isArray(event) || event.length !== 2 || event[0] !== 'message') return refused('event');
  return { kind: 'event', message: event[1] };
}

/** Reads one packet, the payload of an Engine.IO message. Never throws. */
export function decodeSocketIo(packet: string): SocketIoPacket {
  if (packet.length === 0) return refused('empty');
  if (packet.charCodeAt(1) === 0x2f) return refused('namespace');
  switch (packet[0]) {
    case '0':
    case '4': {
      const data = packet.length === 1 ? undefined : parseJson(packet.slice(1));
      if (data === notJson) return refused('json');
      return packet[0] === '0' ? { kind: 'connect', auth: data } : { kind: 'connect-error', data };
    }
    case '1':
      return { kind: 'disconnect' };
    case '2':
      return decodeEvent(packet);
    case '3':
      return refused('ack');
    case '5':
    case '6':
      return refused('binary');
    default:
      return refused('packet-type');
  }
}

/** The server's acceptance; `connectionId` becomes the connection's id. */
export function encodeConnect(connectionId: string): string {
  return `0${JSON.stringify({ sid: connectionId })}`;
}

/** The client's request for the default namespace. */
export function encodeConnectRequest(auth: { token?: string; session?: string }): string {
  return `0${JSON.stringify(auth)}`;
}

/** The server's refusal of the handshake token. */
export function encodeConnectError(code: number | null, description: string | null): string {
  return `4${JSON.stringify({ message: 'not authorized', data: { code, description } })}`;
}

/** Leaves the namespace. A client that gets this does not come back; a transport that just ends does. */
export const disconnectPacket = '1';

/** What stands around the JSON of a message in its event. */
export const aroundEvent = { before: eventPrefix, after: ']' } as const;

/** The event of a message that is already JSON text, so that a broadcast is turned into text once. */
export function encodeEvent(messageJson: string): string {
  return `${aroundEvent.before}${messageJson}${aroundEvent.after}`;
}
