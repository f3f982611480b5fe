import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Router } from 'express';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type AddressRights, addressRights } from './address-rights.ts';
import { httpApp } from './http-app.ts';

/** A path of the route, in a spelling that its router takes as well. */
const pathOf = (address: string) =>
  address.slice(address.indexOf('/')).replace('{/*rest}', '').replaceAll(':', '');

test('[RA6] the IP filter is asked of each route of which its row says so, however its path is written, and of no other', async () => {
  const answer = Router().use((_request, response) => void response.sendStatus(204));
  const app = httpApp(
    {
      callers: (_request, response) => void response.sendStatus(403),
      ...{ requestMetrics: null, metrics: null, example: null, files: Router(), routers: [answer] },
    },
    pino({ level: 'silent' }),
  );
  const server = createServer(app);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const statusOf = async (address: string, path: string) => {
    const method = address.split(' ')[0]!.replace('ALL', 'GET');
    return (await fetch(`http://127.0.0.1:${port}${path}`, { method })).status;
  };
  try {
    for (const [address, { callers }] of Object.entries<AddressRights>(addressRights)) {
      const path = pathOf(address);
      for (const spelling of [path, path.toUpperCase(), `/9.3.0-x${path}`, `${path}/`]) {
        const status = await statusOf(address, spelling);
        expect([address, spelling, status]).toEqual([address, spelling, callers === 'filtered' ? 403 : 204]);
      }
    }
  } finally {
    server.close();
  }
});
