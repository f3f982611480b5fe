import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Descriptors } from '../../platform/descriptors.ts';
import { SessionForwarding } from './session-forwarding.ts';

let directory: string;
const closing: (() => Promise<void> | void)[] = [];

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'quire-forwarding-'));
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await rm(directory, { recursive: true });
});

/** One of two workers, with a port of its own. It says its number, and what it was sent. */
async function worker(number: number) {
  const forwarding = new SessionForwarding(
    directory,
    { number, workers: 2 },
    new Descriptors(1_000),
    () => false,
    () => undefined,
  );
  const sources = new Set<unknown>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    sources.add(request.socket);
    let body = '';
    for await (const chunk of request) body += String(chunk);
    response.end(`${number} ${request.method} ${body}`);
  };
  const server: Server = createServer((request, response) => {
    const here = () => void answer(request, response);
    if (!forwarding.passOn(request, response, here)) here();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = await forwarding.open(server);
  const close = async () => {
    await end();
    server.closeAllConnections();
    server.close();
  };
  closing.push(close);
  const { port } = server.address() as AddressInfo;
  const session = `http://127.0.0.1:${port}/doc/some-key/c/?EIO=4&transport=polling&sid=w2-abc`;
  const ask = async (init?: RequestInit) => (await fetch(session, init)).text();
  return { ask, close, sources };
}

it('[WK7] requests of a session in another worker go there, one after the other over the same connection', async () => {
  const first = await worker(1);
  const second = await worker(2);
  for (let turn = 0; turn < 5; turn += 1) {
    expect(await first.ask()).toBe('2 GET ');
    expect(await first.ask({ method: 'POST', body: 'said' })).toBe('2 POST said');
  }
  expect(second.sources.size).toBe(1);
  expect(first.sources.size).toBe(0);
});

it('[WK7] connections to a worker that ends are given up, and the worker in its place is reached', async () => {
  const first = await worker(1);
  const second = await worker(2);
  expect(await Promise.all([first.ask(), first.ask(), first.ask()])).toEqual(['2 GET ', '2 GET ', '2 GET ']);
  await second.close();
  expect(await first.ask({ method: 'POST' })).toBe('1 POST ');
  const inItsPlace = await worker(2);
  expect(await first.ask({ method: 'POST', body: 'said' })).toBe('2 POST said');
  expect(inItsPlace.sources.size).toBe(1);
});

it('[WK21] while a worker is late, a thousand connections of the others to it wait', async () => {
  await worker(2);
  // Nothing is accepted before this turn of the event loop has ended.
  const waiting = Array.from({ length: 1_000 }, () => connect(path.join(directory, '2.sock')));
  const errors = await Promise.all(
    waiting.map((socket) =>
      Promise.race([once(socket, 'connect').then(() => null), once(socket, 'error')]).catch(String),
    ),
  );
  for (const socket of waiting) socket.destroy();
  expect(errors.filter(Boolean)).toEqual([]);
});
