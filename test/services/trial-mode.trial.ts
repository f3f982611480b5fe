import { connect } from 'node:net';
import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { openTestDatabase } from '../support/postgres.ts';
import { QuireProcess } from '../support/quire-process.ts';

/** Whether something listens there. */
const listens = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5_000 });
    const end = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => end(true));
    for (const name of ['error', 'timeout'] as const) socket.once(name, () => end(false));
  });

const addresses = Object.values(os.networkInterfaces()).flatMap((all) => all ?? []);
const hasIpv6 = addresses.some(({ internal, family }) => internal && family === 'IPv6');
const reachable = addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address;

describe('a trial', () => {
  it.each(['1', '2'])(
    '[CF11] listens on this machine alone and says so, with %s process(es), whatever its secret',
    async (WORKERS) => {
      const quire = await QuireProcess.start({ HOST: '', WORKERS, JWT_SECRET: 'secret' });
      try {
        const { port } = new URL(quire.address);
        expect(await (await fetch(`http://127.0.0.1:${port}/healthcheck`)).text()).toBe('true');
        if (hasIpv6) expect(await (await fetch(`http://[::1]:${port}/healthcheck`)).text()).toBe('true');
        if (reachable !== undefined) expect(await listens(reachable, Number(port))).toBe(false);
        expect((await fetch(`http://127.0.0.1:${port}/example/`)).status).toBe(200);
        expect(quire.logText()).toMatch(/listens on this machine only\. HOST=0\.0\.0\.0/);
        expect(quire.logText()).not.toMatch(/could not be started|ended before/);
        // The second listener does not keep it from ending.
        expect(await quire.stop()).toBe(0);
        expect(await listens('127.0.0.1', Number(port))).toBe(false);
      } finally {
        await quire.remove();
      }
    },
  );

  it('[CF11] is open to others where HOST says so', async () => {
    const quire = await QuireProcess.start({ HOST: '0.0.0.0' });
    try {
      const port = Number(new URL(quire.address).port);
      if (reachable !== undefined) expect(await listens(reachable, port)).toBe(true);
      expect(quire.logText()).not.toContain('listens on this machine only');
    } finally {
      await quire.remove();
    }
  });
});

it('[CF12] a server that is set up does not start with a secret that is guessed first, and says which setting', async () => {
  const database = await openTestDatabase();
  try {
    const start = (JWT_SECRET: string) => QuireProcess.start({ DATABASE_URL: database.url, JWT_SECRET });
    for (const secret of ['secret', 'verysecretstring', 'changeme']) {
      await expect(start(secret)).rejects.toThrow(/JWT_SECRET is made of words that are tried first/);
    }
  } finally {
    await database.close();
  }
});
