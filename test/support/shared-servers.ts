import { once } from 'node:events';
import { createServer } from 'node:http';
import { startPostgres } from './postgres-server.ts';
import { type SharedServer, serversVariable } from './shared-server.ts';

/** What each asks for: one of the whole run. */
const ofRun: Starters = { postgres: startPostgres };

/** What a worker asks for: one of its own, for the files that it takes one after the other. */
const ofWorker: Starters = {
  browser: async () => (await import('./browser-server.ts')).startBrowser(),
  world: async () => (await import('./world-server.ts')).startWorld(),
  'open-world': async () => (await import('./world-server.ts')).startOpenWorld(),
};

type Starters = Readonly<Record<string, () => Promise<SharedServer>>>;

interface Started {
  readonly starting: Promise<SharedServer>;
  /** Unset while it starts. */
  server?: SharedServer;
}

/**
 * vitest's global set-up: a door at which test files ask for servers that they share. Each is started when it is first asked
 * for, so that runs without it cost nothing, and anew where it has died.
 *
 * @returns the teardown, which stops the servers and removes their data
 */
export default async function setup(): Promise<() => Promise<void>> {
  const servers = new Map<string, Started>();
  const door = createServer(async ({ url = '' }, response) => {
    try {
      const { told } = await running(servers, url.slice(1));
      response.end(JSON.stringify(told));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  const address = door.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port.');
  process.env[serversVariable] = `http://127.0.0.1:${address.port}`;
  return async () => {
    // Servers of workers use those of the run to the end, and ask for them here.
    await stopAll(servers, (name) => !(name in ofRun));
    await stopAll(servers, () => true);
    door.close();
    door.closeAllConnections();
  };
}

/** The server of a name, `postgres` or `browser/1`: with the number of the worker that it is for. */
function running(servers: Map<string, Started>, name: string): Promise<SharedServer> {
  const known = servers.get(name);
  if (known && known.server?.isRunning() !== false) return known.starting;
  const started: Started = { starting: start(name, known?.server) };
  servers.set(name, started);
  started.starting.then(
    (server) => {
      started.server = server;
    },
    // Whoever asks next is not told of a failure of before.
    () => servers.delete(name),
  );
  return started.starting;
}

async function start(name: string, dead: SharedServer | undefined): Promise<SharedServer> {
  const [kind = '', worker] = name.split('/');
  const starter = (worker === undefined ? ofRun : ofWorker)[kind];
  if (!starter) throw new Error(`There is no server ${name} to share.`);
  await dead?.stop();
  return starter();
}

async function stopAll(servers: Map<string, Started>, isWanted: (name: string) => boolean): Promise<void> {
  const stopped = [...servers].filter(([name]) => isWanted(name));
  await Promise.all(
    stopped.map(async ([name, { starting }]) => {
      servers.delete(name);
      await (await starting.catch(() => undefined))?.stop();
    }),
  );
}
