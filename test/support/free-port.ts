import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below what Linux gives to whoever asks for any port, from 32768 on: nobody else of this machine is given one of these
 * between now and the use that is made of it. Workers of vitest, which run at once, have a part each.
 */
const first = 20_000;
const partSize = 1_500;
const parts = 8;

const part = Number(process.env.VITEST_POOL_ID ?? 0) % parts;
let next = randomInt(partSize);

/** A port of this machine that nothing listens on, and that this process has not been given lately. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + part * partSize + next;
    next = (next + 1) % partSize;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
