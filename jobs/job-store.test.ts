import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../test/support/eventually.ts';
import { openTestDatabase } from '../test/support/postgres.ts';
import { JobWorker } from './job-worker.ts';
import { ConversionQueue } from './jobs.ts';

/** A message of the protocol of PostgreSQL (its documentation, 54.7): an error that ends the connection. */
function fatal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}

/** A database whose main process has just died: its last words are the first that a client hears. */
async function dyingDatabase() {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(fatal('57P01', 'terminating connection due to unexpected exit')));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://quire:none@127.0.0.1:${port}/quire`, server };
}

describe('a database that ends just when somebody begins to ask it for jobs', () => {
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });
  /** What asks again without a pause would never let another timer run. */
  const askedAtMost = (most: number) => {
    let told = 0;
    return (error: Error) => {
      told += 1;
      if (told > most) throw new Error('It asks again and again', { cause: error });
    };
  };

  it('[FT55] a worker says so, and the process it is in hears of everything else', async () => {
    const { url, server } = await dyingDatabase();
    opened.push(server);
    const store = { databaseUrl: url, redis: null, prefix: 'test' };
    const worker = new JobWorker(store, {
      concurrency: 1,
      process: async () => undefined,
      onError: askedAtMost(20),
    });
    opened.unshift({ close: () => worker.close(true) });
    await expect(worker.waitUntilReady()).rejects.toThrow('terminating connection');
    await new Promise((resolve) => setTimeout(resolve));
    expect(worker.isRunning()).toBe(false);
  });

  it('[FT55] so does who waits for the ends of jobs', async () => {
    const { url, server } = await dyingDatabase();
    opened.push(server);
    const queue = new ConversionQueue(
      { databaseUrl: url, redis: null, prefix: 'test' },
      1_000,
      askedAtMost(20),
    );
    opened.unshift({ close: () => queue.close() });
    await expect(queue.ready()).rejects.toThrow('terminating connection');
    await new Promise((resolve) => setTimeout(resolve));
  });
});

it('[JQ11] a connection to PostgreSQL that nobody needs for a minute is not made anew for the next look at the queue', async () => {
  const database = await openTestDatabase();
  const queue = new ConversionQueue(
    { databaseUrl: database.url, redis: null, prefix: 'test' },
    1_000,
    () => {},
  );
  const look = () => queue.placeOf({ name: 'assemble', data: { key: 'd', epoch: 1 } });
  const connections = async () => {
    const { rows } = await database.pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
       ORDER BY pid`,
    );
    return rows.map(({ pid }) => pid);
  };
  try {
    await queue.ready();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await look();
    const before = await connections();
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    await look();
    expect(before).not.toEqual([]);
    expect(await connections()).toEqual(expect.arrayContaining(before));
  } finally {
    vi.useRealTimers();
    await queue.close();
    await database.close();
  }
});

it('[FT56] a worker that was busy asks a database that starts again a few times a second at most, and goes on afterwards', async () => {
  const database = await openTestDatabase();
  const { hostname, port } = new URL(database.url);
  let isStarting = false;
  let asked = 0;
  const sockets = new Set<Socket>();
  // Between the worker and its database, which is away for a while.
  const between = createServer((socket: Socket) => {
    asked += 1;
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    if (isStarting) {
      socket.once('data', () => socket.end(fatal('57P03', 'the database system is starting up')));
      return;
    }
    const behind = connect(Number(port), hostname).on('error', () => undefined);
    socket.pipe(behind).pipe(socket);
    socket.on('close', () => behind.destroy());
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  const address = new URL(database.url);
  address.host = `127.0.0.1:${(between.address() as AddressInfo).port}`;

  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let begun = 0;
  const process = async () => {
    begun += 1;
    await gate;
    return {};
  };
  const onError = () => undefined;
  const queue = new ConversionQueue(
    { databaseUrl: database.url, redis: null, prefix: 'quire' },
    30_000,
    onError,
  );
  const store = { databaseUrl: String(address), redis: null, prefix: 'quire' };
  // The ends of what it does meanwhile are lost: these jobs are begun again when its claims have lapsed.
  const times = { claimMs: 1_000, lookForDeadMs: 200 };
  const worker = new JobWorker(store, { concurrency: 2, process, onError, times });
  try {
    await Promise.all([queue.ready(), worker.waitUntilReady()]);
    const jobs = Array.from({ length: 12 }, (_, at) =>
      queue.run({ name: 'checkpoint', data: { key: `d${at}` } }),
    );
    await eventually(
      async () => begun,
      (count) => count > 0,
    );
    isStarting = true;
    for (const socket of sockets) socket.destroy();
    open();
    asked = 0;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(100);
    isStarting = false;
    await Promise.all(jobs);
  } finally {
    await Promise.all([queue.close(), worker.close(true)]);
    for (const socket of sockets) socket.destroy();
    between.close();
    await database.close();
  }
});
