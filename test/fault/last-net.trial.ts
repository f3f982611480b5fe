import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFailed } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectClosed, expectDelivered, expectNothingLost } from '../support/fault-checks.ts';
import { tellOf } from '../support/fault-report.ts';
import { FaultWorld, type FaultWorldOptions } from '../support/fault-world.ts';
import { freePort } from '../support/free-port.ts';
import { patienceMs, testTimeoutMs } from '../support/patience.ts';
import { Scrape } from '../support/scrape.ts';

/** A server with the process above it, on a port of its own: as `quire serve` is started by operators. */
async function openSupervised({ environment, ...options }: FaultWorldOptions = {}): Promise<FaultWorld> {
  const port = String(await freePort());
  const world = await FaultWorld.open({
    ...options,
    environment: { SUPERVISED: 'true', PORT: port, NODE_LEASE_MS: '3000', ...environment },
  });
  onTestFailed(() => tellOf(world));
  return world;
}

/** Lines of the log that say this. */
const linesOf = (world: FaultWorld, sentence: string) =>
  world.quire.log.filter(({ msg }) => msg === sentence);
const readyLines = (world: FaultWorld) => linesOf(world, 'Quire is ready');
const uncaughtLines = (world: FaultWorld) => linesOf(world, 'Nobody caught an error: this process ends');
const serverPid = (world: FaultWorld) => Number(readyLines(world).at(-1)!.pid);

/** Two people type. `endWell` ends that, and looks for all that they typed: in the log, in both documents and in the file. */
async function twoType(world: FaultWorld) {
  const writers = [await world.join('ann', 'websocket'), await world.join('bob', 'polling')];
  const stops = writers.map((writer) => writer.keepTyping());
  const getOn = async () => void (await Promise.all(writers.map((writer) => writer.getsOnBy(20))));
  await getOn();
  const endWell = async () => {
    await Promise.all(stops.map((stop) => stop()));
    await expectNothingLost(world, writers);
    for (const { session } of writers) await session.close();
    await expectDelivered(world, writers);
    await expectClosed(world);
  };
  return { getOn, endWell };
}

/** How often processes of this kind were started again, once it is so often. */
const restartsBecome = (world: FaultWorld, kind: string, count: number) =>
  eventually(
    // Whoever is asked may be about to die, or not be there again.
    async () =>
      (await Scrape.of(world.quire.address).catch(() => null))?.sum('quire_restarts_total', { kind }),
    (found) => found === count,
    patienceMs,
  );

/** Processes that live and belong to this world. */
function processesOf(world: FaultWorld): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DATA_DIR=${world.quire.dataDir}\0`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

describe('a server with the process above it', { timeout: 4 * testTimeoutMs }, () => {
  it('[LN8] an error that nobody caught ends the server while two people type: it is started again, both go on, nothing is lost, and one SIGTERM ends it with code 0', async () => {
    const world = await openSupervised({ faultPoint: 'throw:save:committed' });
    try {
      const { getOn, endWell } = await twoType(world);
      const { address } = world.quire;
      await world.arm();
      await world.until('the server is ready again', () => readyLines(world).length === 2);
      await getOn();
      expect(uncaughtLines(world)).toMatchObject([{ level: 'fatal', code: 'uncaught' }]);
      expect(linesOf(world, 'The server ended; another one is started')).toMatchObject([{ code: 70 }]);
      expect(readyLines(world).map((line) => line.address)).toEqual([address, address]);
      await restartsBecome(world, 'server', 1);
      process.kill(serverPid(world), 'SIGKILL');
      await world.until('the server is ready again', () => readyLines(world).length === 3);
      await getOn();
      await restartsBecome(world, 'server', 2);
      await endWell();
      expect(await world.quire.stop()).toBe(0);
      expect(linesOf(world, 'Quire has stopped')).toHaveLength(1);
    } finally {
      await world.close();
    }
  });

  it('[LN8] the same with workers: one that is killed, and a primary process that ends of an error', async () => {
    const world = await openSupervised({
      faultPoint: 'throw:primary:metrics',
      environment: { WORKERS: '2' },
    });
    try {
      const { getOn, endWell } = await twoType(world);
      const [, worker] = /^quire_worker_pid\{worker="1"\} (\d+)$/m.exec(
        await (await fetch(`${world.quire.address}/metrics`)).text(),
      )!;
      process.kill(Number(worker), 'SIGKILL');
      await getOn();
      await restartsBecome(world, 'worker', 1);
      expect(readyLines(world)).toHaveLength(1);
      await world.arm();
      await fetch(`${world.quire.address}/metrics`).catch(() => undefined);
      await world.until('the server is ready again', () => readyLines(world).length === 2);
      await getOn();
      expect(uncaughtLines(world)).toHaveLength(1);
      await restartsBecome(world, 'server', 1);
      await endWell();
      expect(await world.quire.stop()).toBe(0);
    } finally {
      await world.close();
    }
  });

  it('[LN8] a worker and a converter that end of an error are started again by the server, and it lives on', async () => {
    for (const [faultPoint, kind] of [
      ['throw:save:received', 'worker'],
      ['throw:assembly:started', 'converter'],
    ] as const) {
      const world = await openSupervised({ faultPoint, environment: { WORKERS: '2' } });
      try {
        const { getOn, endWell } = await twoType(world);
        await world.arm();
        if (kind === 'worker') {
          await world.until('the worker has died', () => uncaughtLines(world).length === 1);
          await getOn();
        }
        await endWell();
        expect(uncaughtLines(world)).toMatchObject([{ level: 'fatal', code: 'uncaught' }]);
        await restartsBecome(world, kind, 1);
        expect(readyLines(world)).toHaveLength(1);
      } finally {
        await world.close();
      }
    }
  });

  it('[LN6] a server that is killed again and again is given up, with an exit code', async () => {
    const world = await openSupervised({ environment: { CONVERTER_PROCESSES: '0' } });
    try {
      const died = world.quire.died();
      const supervisor = world.quire.pid;
      const killed = new Set<number>();
      /** The server that was not killed yet; null once there is nobody any more who starts one. */
      const nextServer = () =>
        world.quire.isRunning
          ? processesOf(world).find((pid) => pid !== supervisor && !killed.has(pid))
          : null;
      // Each as soon as it is there: six times within a minute, however long a server takes to be ready.
      while (killed.size < 50) {
        const pid = await eventually(nextServer, (found) => found !== undefined);
        if (!pid) break;
        process.kill(pid, 'SIGKILL');
        killed.add(pid);
      }
      await died;
      expect(killed.size).toBeLessThan(50);
      expect(linesOf(world, 'The server ended too often: it is given up')).toMatchObject([
        { level: 'fatal', deaths: 6, signal: 'SIGKILL' },
      ]);
    } finally {
      await world.close();
    }
  });

  it('[LN9] a server whose supervisor is killed ends in order, with all that it had started', async () => {
    const world = await openSupervised({ environment: { WORKERS: '2' } });
    try {
      const { getOn } = await twoType(world);
      await getOn();
      await world.quire.kill();
      await world.until('the server has stopped', () => linesOf(world, 'Quire has stopped').length > 0);
      await eventually(
        async () => processesOf(world),
        (found) => found.length === 0,
        patienceMs,
      );
      expect(uncaughtLines(world)).toEqual([]);
    } finally {
      await world.close();
    }
  });

  it('[LN4] a server that cannot start is not started again: its output and its exit code are passed on', async () => {
    const world = await openSupervised({ environment: { CONVERTER_PROCESSES: '0' } });
    try {
      const { port } = new URL(world.quire.address);
      await expect(openSupervised({ environment: { PORT: port, CONVERTER_PROCESSES: '0' } })).rejects.toThrow(
        /ended \(1\) before it was ready(?!.*another one is started)/s,
      );
    } finally {
      await world.close();
    }
  });
});
