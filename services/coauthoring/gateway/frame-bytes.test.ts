import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { websocketFrame } from './frame-bytes.ts';

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
