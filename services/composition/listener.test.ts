import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { loadConfig } from '../../platform/config.ts';
import { Descriptors } from '../../platform/descriptors.ts';
import { TransportMetrics } from '../../platform/metrics/transport.ts';
import { eventually } from '../../test/support/eventually.ts';
import type { Coauthoring } from '../coauthoring/coauthoring.ts';
import { documentIn } from '../coauthoring/gateway/document-path.ts';
import { type Knock, noPlace } from '../coauthoring/gateway/door.ts';
import { httpServer, openGateways } from './listener.ts';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** What the door does with whom it is asked about. */
type DoorState = 'open' | 'shut' | 'waiting';

/** The port of a process whose door is in the hands of the test, and whose descriptors have a limit. */
async function opened(limit = 1_000) {
  const registry = new Registry();
  const state: { door: DoorState; isLeaving: boolean; waiting: Knock[]; documents: (string | null)[] } = {
    door: 'open',
    isLeaving: false,
    waiting: [],
    documents: [],
  };
  const knock = ({ url = '' }: IncomingMessage, asked: Knock) => {
    state.documents.push(documentIn(url));
    if (state.door === 'open') asked.enter(noPlace);
    else if (state.door === 'shut') asked.refuse(7);
    else state.waiting.push(asked);
  };
  const descriptors = new Descriptors(limit);
  const coauthoring = {
    verifyHandshake: async () => ({ ok: true, known: null }),
    greet: () => undefined,
    disconnected: async () => undefined,
  };
  const gateways = openGateways(
    loadConfig({ DATA_DIR: '/nowhere' }),
    coauthoring as unknown as Coauthoring,
    new TransportMetrics(registry),
    { isRetired: () => false, isLeaving: () => state.isLeaving, door: { knock }, descriptors },
  );
  const app = express().get('/healthcheck', (_request, response) => void response.send('true'));
  server = httpServer(app, gateways, null, descriptors).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ended = async (reason: string) => {
    const text = await registry.getSingleMetricAsString('quire_unauthenticated_connections_ended_total');
    return Number(new RegExp(`reason="${reason}"\\} (\\d+)`).exec(text)![1]);
  };
  return { port, state, ended };
}

/** How a WebSocket is answered: its status, and after how many seconds its client may come again. */
function upgradeAnswer(url: string): Promise<[number, string | undefined]> {
  return new Promise((resolve) => {
    const client = new WebSocket(url);
    const answered = ({ statusCode, headers }: IncomingMessage) =>
      resolve([statusCode!, headers['retry-after']]);
    client.once('upgrade', answered);
    client.once('unexpected-response', (_request, response) => answered(response));
    client.on('error', () => undefined);
  });
}

/** How a newcomer is answered over each transport, long polling first. */
async function answersAt(port: number) {
  const document = `127.0.0.1:${port}/doc/some-key/c/?EIO=4`;
  const polled = await fetch(`http://${document}&transport=polling`);
  const afterS = polled.headers.get('retry-after') ?? undefined;
  return [
    [polled.status, afterS],
    await upgradeAnswer(`ws://${document}&transport=websocket`),
    await upgradeAnswer(`ws://127.0.0.1:${port}/ws/some-key`),
  ];
}

test('[NC4] newcomers whom the door refuses are answered 503 with Retry-After over each transport', async () => {
  const { port, state } = await opened();
  const entered = [200, 101, 101].map((status) => [status, undefined]);
  expect(await answersAt(port)).toEqual(entered);
  state.door = 'shut';
  expect(await answersAt(port)).toEqual([503, 503, 503].map((status) => [status, '7']));
  state.door = 'open';
  expect(await answersAt(port)).toEqual(entered);
});

test('[NC19] over each transport the door learns the document, by whose tenant people take turns', async () => {
  const { port, state } = await opened();
  await answersAt(port);
  expect(state.documents).toEqual(['some-key', 'some-key', 'some-key']);
});

test('[NC4] whoever polls is refused in the form of Engine.IO, which pages of any address may read', async () => {
  const { port, state } = await opened();
  state.door = 'shut';
  const document = `http://127.0.0.1:${port}/doc/some-key/c/?EIO=4&transport=polling`;
  const refused = await fetch(document);
  expect(await refused.json()).toEqual({ code: 3, message: 'Too many come at once' });
  expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  expect(refused.headers.get('access-control-expose-headers')).toBe('Retry-After');
});

test('[NC5] while newcomers wait, open sessions of long polling and other requests are answered', async () => {
  const { port, state } = await opened();
  const document = `http://127.0.0.1:${port}/doc/some-key/c/?EIO=4&transport=polling`;
  const { sid } = JSON.parse((await (await fetch(document)).text()).slice(1)) as { sid: string };
  state.door = 'waiting';
  const newcomers = [
    fetch(document).then(({ status }) => status),
    upgradeAnswer(`ws://127.0.0.1:${port}/ws/some-key`),
  ];
  await eventually(() => expect(state.waiting).toHaveLength(2));
  expect((await fetch(`${document}&sid=${sid}`, { method: 'POST', body: '3' })).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${port}/healthcheck`)).status).toBe(200);
  for (const { enter } of state.waiting) enter(noPlace);
  expect(await Promise.all(newcomers)).toEqual([200, [101, undefined]]);
});

/** Asks for an upgrade, reads the first line of the answer, and keeps its own end open. */
async function stubbornAnswer(port: number, path: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: h\r\n${upgrade}\r\nSec-WebSocket-Key: cXVpcmUgbG9hZCAxIGtleQ==\r\n\r\n`,
  );
  const [answer] = await once(socket, 'data');
  return String(answer).split(' ')[1]!;
}

test('[NC14] who is refused an upgrade keeps no connection, also with its own end open', async () => {
  const { port, state } = await opened();
  const document = '/doc/some-key/c/?transport=websocket&EIO';
  const answers = [
    await stubbornAnswer(port, '/nothing-here'),
    await stubbornAnswer(port, `${document}=3`),
    await stubbornAnswer(port, `${document}=4&sid=unknown`),
  ];
  state.door = 'shut';
  for (const path of [`${document}=4`, '/ws/some-key']) answers.push(await stubbornAnswer(port, path));
  state.isLeaving = true;
  for (const path of [`${document}=4`, '/ws/some-key']) answers.push(await stubbornAnswer(port, path));
  expect(answers).toEqual(['404', '400', '400', '503', '503', '503', '503']);
  const open = () =>
    new Promise<number>((resolve) => server!.getConnections((_error, count) => resolve(count)));
  await eventually(async () => expect(await open()).toBe(0));
});

test('[WK15] a process that is drained sends newcomers away without asking the door', async () => {
  const { port, state } = await opened();
  state.isLeaving = true;
  expect(await answersAt(port)).toEqual([503, 503, 503].map((status) => [status, '1']));
});

test('[WK17] a connection that would take one of the last descriptors is closed, and counted', async () => {
  const { port, ended } = await opened(40);
  // A quarter stays for other things; and of strangers a quarter of the rest, who would make room for each other.
  const sockets = Array.from({ length: 40 }, () => connect(port, '127.0.0.1'));
  const closed = (socket: (typeof sockets)[number]) =>
    new Promise<void>((resolve) => socket.once('close', () => resolve()).on('error', () => undefined));
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)));
  await Promise.any(sockets.map(closed));
  await eventually(() => expect(sockets.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(8));
  expect((await ended('crowded')) + (await ended('no_descriptor'))).toBeGreaterThanOrEqual(32);
  for (const socket of sockets) socket.destroy();
});
