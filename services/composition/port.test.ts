import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openConnections } from '../../platform/open-connections.ts';
import { eventually } from '../../test/support/eventually.ts';
import { listen } from './port.ts';

const config = { port: 0, host: '127.0.0.1', databaseUrl: undefined, publicUrl: undefined };
const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** An open port, what it warned of, and the connections that it has accepted. */
async function opened(server: Server = createServer()) {
  const warnings: unknown[] = [];
  const { port, close } = await listen(server, config, {
    warn: (...said: unknown[]) => void warnings.push(said),
  });
  const accepted: Socket[] = [];
  server.on('connection', (socket: Socket) => accepted.push(socket));
  closing.push(close, () => server.closeAllConnections());
  return { port, close, accepted, warnings };
}

function clients(port: number, count: number): Socket[] {
  const sockets = Array.from({ length: count }, () =>
    connect(port, '127.0.0.1').on('error', () => undefined),
  );
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  return sockets;
}

describe('the port', () => {
  it('[NC22] sixty-four connections that wait are accepted in one turn of the event loop', async () => {
    const { port, accepted, warnings } = await opened();
    clients(port, 200);
    const inTurns: number[] = [];
    for (let before = 0; accepted.length < 200; before = accepted.length) {
      await nextTurn();
      inTurns.push(accepted.length - before);
    }
    expect(Math.max(...inTurns)).toBe(64);
    expect(warnings).toEqual([]);
  });

  it('[WK17] a connection counts, whichever handle has accepted it', async () => {
    const server = createServer();
    const { port } = await opened(server);
    const sockets = clients(port, 80);
    await eventually(() => expect(openConnections(server)).toBe(80));
    for (const socket of sockets.slice(0, 50)) socket.destroy();
    await eventually(() => expect(openConnections(server)).toBe(30));
  });

  it('[NC22] requests are answered over every handle, and none is accepted once the port is closed', async () => {
    const server = createServer((_request, response) => void response.end('here'));
    const { port, close, accepted } = await opened(server);
    const answers = Array.from({ length: 140 }, async () =>
      (await fetch(`http://127.0.0.1:${port}/`, { headers: { Connection: 'close' } })).text(),
    );
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['here']));
    close();
    const before = accepted.length;
    const [late] = clients(port, 1);
    await eventually(() => expect(late!.destroyed).toBe(true));
    expect(accepted).toHaveLength(before);
  });
});
