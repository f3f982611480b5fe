import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Server as TcpServer } from 'node:net';
import type { Logger } from 'pino';
import { type Config, listeningHosts } from '../../platform/config.ts';
import { countAt } from '../../platform/open-connections.ts';
import { duplicatesOf, listenAt } from './duplicate-handles.ts';

/** How many connections may wait in the kernel until they are accepted. */
const backlog = 2_048;

/**
 * How many more handles each address of the port has. The event loop accepts one connection from each handle in a turn (libuv since
 * 1.45). With a single one, a process whose turns take 50 ms accepts 20 connections a second, with sixteen 320; all others wait in the
 * kernel, where nobody tells them to come again, and health checks wait among them.
 */
const handlesBeside = 63;

/** The open port, and how to close it. */
interface Listening {
  port: number;
  close: () => void;
}

/** Opens the port at every address that the settings name. Only the first address has to work: a machine may lack IPv6. */
export async function listen(
  server: Server,
  config: Pick<Config, 'port' | 'host' | 'databaseUrl' | 'publicUrl'>,
  log: Pick<Logger, 'warn'>,
): Promise<Listening> {
  const [first, ...others] = listeningHosts(config);
  await opened(server, () => server.listen({ port: config.port, host: first, backlog }));
  const { port } = server.address() as AddressInfo;
  const all: TcpServer[] = [server];
  const openBeside = async (listenWith: (one: TcpServer) => void): Promise<void> => {
    const one = createServer((socket) => {
      countAt(server, socket);
      server.emit('connection', socket);
    });
    await opened(one, () => listenWith(one));
    all.push(one);
  };
  for (const host of others) {
    await openBeside((one) => one.listen({ port, host, backlog })).catch(() => undefined);
  }
  try {
    for (const one of [...all]) {
      for (const handle of await duplicatesOf(one, handlesBeside)) {
        await openBeside((beside) => listenAt(beside, handle, backlog));
      }
    }
  } catch (error) {
    log.warn({ err: error }, 'When many come at once they wait longer, since the port has one handle only');
  }
  return {
    port,
    close: () => {
      for (const one of all) one.close();
    },
  };
}

function opened(server: TcpServer, listenWith: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', resolve);
    listenWith();
  });
}
