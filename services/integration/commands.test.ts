import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, expect, test } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import { eventually } from '../../test/support/eventually.ts';
import { RequestBodies } from '../http/request-bodies.ts';
import { type CommandDependencies, commandsRouter } from './commands.ts';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Commands of a server with ten connections to the database, where what concerns `held` waits for `release`. */
async function world() {
  const looked: string[] = [];
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const find = async (key: string) => {
    looked.push(key);
    if (key === 'held') await gate;
    return { key };
  };
  const dependencies = {
    config: loadConfig({ DATABASE_POOL_SIZE: '10' }),
    tokens: { areDemanded: false } as Tokens,
    bodies: new RequestBodies(() => '127.0.0.1'),
    documents: { find },
  };
  const router = commandsRouter(dependencies as unknown as CommandDependencies);
  server = express().use(router).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (key: string, from: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/command`, {
      method: 'POST',
      headers: { 'x-forwarded-for': from },
      body: JSON.stringify({ c: 'saved', key, status: '1' }),
    });
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      body: await answer.json(),
    };
  };
  return { looked, release: () => release(), ask };
}

const done = (key: string) => ({ status: 200, retryAfter: null, body: { error: 0, key } });

test('[NC13] one application that sends very many commands leaves connections to the database to others', async () => {
  const { looked, release, ask } = await world();
  const storm = Array.from({ length: 40 }, () => ask('held', '203.0.113.1'));
  await eventually(() => expect(looked).toHaveLength(3));
  expect(await ask('other', '203.0.113.2')).toEqual(done('other'));
  expect(looked).toEqual(['held', 'held', 'held', 'other']);
  release();
  expect(await Promise.all(storm)).toEqual(storm.map(() => done('held')));
});
