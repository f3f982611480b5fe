import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Frame } from '../../../platform/ports/peer.ts';
import {
  eventFrameOf,
  jsonFrameOf,
  prepareEventFrame,
  prepareJsonFrame,
  websocketFrame,
} from './frame-bytes.ts';

test('a frame of any length, in any script, is read as the text that was written', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [peer] = (await once(server, 'connection')) as [
    WebSocket & { _socket: { write(bytes: Buffer): void } },
  ];
  try {
    for (const length of [0, 1, 125, 126, 65_535, 65_536, 300_000]) {
      for (const text of ['j'.repeat(length), `${'語'.repeat(length)}😀`]) {
        const received = once(client, 'message');
        peer._socket.write(websocketFrame(text));
        expect(String((await received)[0]) === text, `${length}`).toBe(true);
      }
    }
  } finally {
    client.terminate();
    server.close();
  }
});

test('[SV39] the frames of a message in parts, made in turns, are those of the whole message', async () => {
  for (const parts of [
    ['"a"'],
    ['["', 'j'.repeat(262_144), '語', '😀'.repeat(100_000), 'j'.repeat(9), '"]'],
  ]) {
    let turns = 0;
    const turn = async () => {
      turns += 1;
    };
    const [frame, whole] = [new Frame(...parts), new Frame(parts.join(''))];
    await prepareEventFrame(frame, turn);
    await prepareJsonFrame(frame, turn);
    expect(turns).toBe(parts.length > 1 ? 4 : 0);
    expect(frame.parts).toEqual(parts);
    expect(eventFrameOf(frame).equals(eventFrameOf(whole))).toBe(true);
    expect(jsonFrameOf(frame).equals(jsonFrameOf(whole))).toBe(true);
    expect([frame.characters, frame.bytes]).toEqual([whole.characters, whole.bytes]);
    expect(frame.json).toBe(whole.json);
  }
});
