import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeSocketIo,
  disconnectPacket,
  encodeConnect,
  encodeConnectError,
  encodeConnectRequest,
  encodeEvent,
  stringifyServerMessage,
} from './index.ts';

describe('Socket.IO packets', () => {
  it('[P11] any message survives encoding and decoding', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (message) => {
        const decoded = decodeSocketIo(encodeEvent(JSON.stringify(message)));
        expect(decoded).toEqual({ kind: 'event', message: JSON.parse(JSON.stringify(message)) });
      }),
    );
  });

  it('[P12] connect, disconnect and refusal have their documented text', () => {
    expect(encodeConnect('abc')).toBe('0{"sid":"abc"}');
    expect(decodeSocketIo(encodeConnectRequest({ token: 't' }))).toEqual({
      kind: 'connect',
      auth: { token: 't' },
    });
    expect(decodeSocketIo('0')).toEqual({ kind: 'connect', auth: undefined });
    expect(decodeSocketIo(disconnectPacket)).toEqual({ kind: 'disconnect' });
    expect(encodeConnectError(4006, 'token:jwt malformed')).toBe(
      '4{"message":"not authorized","data":{"code":4006,"description":"token:jwt malformed"}}',
    );
    expect(decodeSocketIo(encodeConnectError(4006, 'x'))).toMatchObject({
      kind: 'connect-error',
      data: { data: { code: 4006 } },
    });
  });

  it('[P13] other namespaces, acknowledgements, attachments and other events are refused by name', () => {
    const reasons = {
      '': 'empty',
      '0/admin,': 'namespace',
      '2/admin,["message",{}]': 'namespace',
      '212["message",{}]': 'ack',
      '31[]': 'ack',
      '51-["message",{"_placeholder":true,"num":0}]': 'binary',
      '61-[]': 'binary',
      '9': 'packet-type',
      '2["other",{}]': 'event',
      '2["message",{},{}]': 'event',
      '2["message"]': 'event',
      '2{"a":1}': 'event',
      '2["message",': 'json',
      '0{': 'json',
    } as const;
    for (const [packet, reason] of Object.entries(reasons)) {
      expect(decodeSocketIo(packet), packet).toEqual({ kind: 'refused', reason });
    }
  });

  it('[P14] a server message always begins with its type, and saveLock ends with its answer', () => {
    expect(stringifyServerMessage({ type: 'saveLock', saveLock: false })).toBe(
      '{"type":"saveLock","saveLock":false}',
    );
    expect(stringifyServerMessage({ success: true, type: 'updateVersion' })).toBe(
      '{"type":"updateVersion","success":true}',
    );
  });
});
