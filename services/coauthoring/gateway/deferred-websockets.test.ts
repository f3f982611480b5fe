import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { DeferredWebSocketServer } from './deferred-websockets.ts';

const server = createServer();
const sockets = new DeferredWebSocketServer({ noServer: true });
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (webSocket) => {
    webSocket.send('greeting');
    webSocket.on('message', (data) => webSocket.send(`heard ${data}`));
  });
});

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  vi.useRealTimers();
  sockets.close();
  server.close().closeAllConnections();
});

async function visit(userAgent: string) {
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}`, { headers: { 'user-agent': userAgent } });
  const heard: string[] = [];
  client.on('message', (data) => heard.push(String(data)));
  await once(client, 'open');
  client.send('early');
  return { client, heard };
}

/** Resolves when somebody has been greeted and answered; the timers of this test stand still meanwhile. */
async function hears({ heard }: { heard: readonly string[] }) {
  while (heard.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(heard).toEqual(['greeting', 'heard early']);
}

test('[GW24] a client is greeted without waiting; k6, which is not ready when its connection is, a moment later', async () => {
  const browser = await visit('Mozilla/5.0');
  await hears(browser);
  const load = await visit('Grafana k6/1.8.1');
  // Its turn has passed when somebody who came later has been answered.
  const later = await visit('Mozilla/5.0');
  await hears(later);
  expect(load.heard).toEqual([]);
  vi.advanceTimersByTime(1_000);
  await hears(load);
});
