import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { HttpClient } from '../../platform/outgoing/http-client.ts';
import { Tokens } from '../../platform/secrets/tokens.ts';
import { Integrator } from './integrator.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** What an application is asked for whose callback address ends in `target`. */
async function askedFor(target: string, environment: Record<string, string> = {}): Promise<string[]> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.end('{"error":0}');
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  cleanups.push(() => new Promise((done) => server.close(done).closeAllConnections()));
  const config = loadConfig(environment);
  const http = new HttpClient(config);
  cleanups.push(() => http.close());
  const secret = 'a secret that is long enough for tokens';
  const secrets = { inbox: secret, previousInbox: undefined, outbox: secret, session: secret };
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${target}`;
  const routing = { WOPISrc: 'https://h/a?b&c', usid: 'u' };
  const body = { key: 'k', status: 4 };
  const outcome = await new Integrator(http, new Tokens(secrets, config), config).call(
    address,
    routing,
    body,
  );
  expect(outcome).toEqual({ accepted: true });
  return asked;
}

test('[CB5] a callback address is called as it was given, whatever the routing of the document is', async () => {
  const signed = "/cb?doc=o'neil&expires=4102444800&sig=a%20b+c%2F&x&signature=0a9f";
  expect(await askedFor(signed)).toEqual([signed]);
});

test('[CB5] with CALLBACK_ROUTING the routing stands at the end of its query', async () => {
  expect(await askedFor("/cb?doc=o'neil", { CALLBACK_ROUTING: 'true' })).toEqual([
    "/cb?doc=o'neil&WOPISrc=https%3A%2F%2Fh%2Fa%3Fb%26c&usid=u",
  ]);
});
