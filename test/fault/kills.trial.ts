import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../platform/package-root.ts';
import { eventually } from '../support/eventually.ts';
import { expectClosed, expectDelivered, expectNothingLost } from '../support/fault-checks.ts';
import { randomFrom, seedsOf } from '../support/fault-random.ts';
import { tellOf } from '../support/fault-report.ts';
import { FaultWorld } from '../support/fault-world.ts';
import type { Writer } from '../support/fault-writer.ts';
import { inTime } from '../support/in-time.ts';
import { openEmptyDatabase } from '../support/postgres.ts';

/** Three people type, each by another transport; the result ends their typing. */
async function threeType(world: FaultWorld): Promise<{ writers: Writer[]; stop: () => Promise<void> }> {
  const writers = [
    await world.join('ann', 'websocket'),
    await world.join('bob', 'polling'),
    await world.join('carol', 'plain'),
  ];
  const stops = writers.map((writer) => writer.keepTyping());
  await Promise.all(writers.map((writer) => writer.getsOnBy(20)));
  return { writers, stop: async () => void (await Promise.all(stops.map((stop) => stop()))) };
}

/** Everybody is in session again and gets on. */
const allGetOn = (writers: readonly Writer[]) => Promise.all(writers.map((writer) => writer.getsOnBy(20)));

/** Typing ends, everybody leaves, the callback comes: with all that was typed in it. */
async function endWell(
  world: FaultWorld,
  writers: readonly Writer[],
  stop: () => Promise<void>,
): Promise<void> {
  await stop();
  await expectNothingLost(world, writers);
  for (const { session } of writers) await session.close();
  await expectDelivered(world, writers);
  await expectClosed(world);
}

describe.concurrent('processes are killed at any moment', () => {
  it('[FT30] kill -9 of the server four times, with an embedded database', async ({ onTestFailed }) => {
    const random = randomFrom(1);
    const world = await FaultWorld.open({ embedded: true });
    onTestFailed(() => tellOf(world));
    try {
      const { writers, stop } = await threeType(world);
      for (let kill = 0; kill < 4; kill += 1) {
        await new Promise((resolve) => setTimeout(resolve, random() * 400));
        await world.quire.kill();
        await world.quire.restart();
        // Every other time it is killed again while people are still coming back.
        if (kill % 2 === 0) await allGetOn(writers);
      }
      await allGetOn(writers);
      await endWell(world, writers, stop);
    } finally {
      await world.close();
    }
  });

  it('[FT31] kill -9 of the converter, again and again, while documents are opened', async ({
    onTestFailed,
  }) => {
    const random = randomFrom(3);
    const world = await FaultWorld.open();
    onTestFailed(() => tellOf(world));
    try {
      const opened = ['1', '2', '3'].map(async (name) => {
        const { key, sourceUrl } = world.otherDocument(name);
        await new Promise((resolve) => setTimeout(resolve, random() * 500));
        const writer = await world.join('ann', 'websocket', { key, sourceUrl });
        writer.type();
        await writer.session.saved();
      });
      for (let kill = 0; kill < 2; kill += 1) {
        const killed = await world.killConverter();
        await new Promise((resolve) => setTimeout(resolve, random() * 300));
        await world.until('another converter is ready', () => {
          const pid = world.converterPid();
          return pid !== undefined && pid !== killed;
        });
      }
      await Promise.all(opened);
      expect(world.quire.isRunning).toBe(true);
    } finally {
      await world.close();
    }
  });

  it('[FT32] kill -9 of the server while a document is being opened', async ({ onTestFailed }) => {
    const world = await FaultWorld.open();
    onTestFailed(() => tellOf(world));
    try {
      const gate = world.holdSource();
      const joining = world.join('ann', 'websocket');
      joining.catch(() => undefined);
      await world.until('the source is asked for', () => gate.isAskedFor());
      await world.quire.kill();
      gate.open();
      await world.quire.restart();
      const ann = await joining;
      ann.type();
      await endWell(world, [ann], async () => undefined);
    } finally {
      await world.close();
    }
  });
});

describe.concurrent('nobody comes back', () => {
  it('[FT33] after kill -9 of the server what was acknowledged is assembled and delivered', async ({
    onTestFailed,
  }) => {
    const world = await FaultWorld.open({ environment: { RECONNECT_GRACE_MS: '100' } });
    onTestFailed(() => tellOf(world));
    try {
      const { writers, stop } = await threeType(world);
      await stop();
      await expectNothingLost(world, writers);
      for (const { session } of writers) session.client.abort();
      // Whether or not the server has noticed that they are gone.
      await world.quire.kill();
      await world.quire.restart();
      await expectDelivered(world, writers);
      await expectClosed(world);
    } finally {
      await world.close();
    }
  });
});

describe.concurrent('a power cut', () => {
  it.for(seedsOf(4, 5))(
    '[FT34] server, converter and database die at once, seed %i',
    async (seed, { onTestFailed }) => {
      const random = randomFrom(seed);
      const world = await FaultWorld.open({ embedded: true });
      onTestFailed(() => tellOf(world));
      try {
        const { writers, stop } = await threeType(world);
        for (let cut = 0; cut < 2; cut += 1) {
          await new Promise((resolve) => setTimeout(resolve, random() * 300));
          await world.cutPower();
          await world.quire.restart();
          await allGetOn(writers);
        }
        await endWell(world, writers, stop);
      } finally {
        await world.close();
      }
    },
  );
});

describe.concurrent('an orderly stop', () => {
  it('[FT35] SIGTERM while people type: a clean end, and people go on after the restart', async ({
    onTestFailed,
  }) => {
    const world = await FaultWorld.open({ embedded: true });
    onTestFailed(() => tellOf(world));
    try {
      const { writers, stop } = await threeType(world);
      expect(await world.quire.stop()).toBe(0);
      await world.quire.restart();
      await allGetOn(writers);
      expect(writers.map(({ lostConnections }) => lostConnections > 0)).toEqual([true, true, true]);
      await endWell(world, writers, stop);
    } finally {
      await world.close();
    }
  });

  it.each(['Quire is ready', 'Applied a database migration'])(
    '[FT52] a signal to `npm start` reaches the server, which ends in order (at: %s)',
    async (moment) => {
      const database = await openEmptyDatabase();
      const dataDir = await mkdtemp(path.join(os.tmpdir(), 'quire-test-start-'));
      // What comes before is no part of it: a build takes as long as it takes.
      const npm = spawn('npm', ['start', '--ignore-scripts'], {
        cwd: packageRoot,
        env: {
          ...process.env,
          ...{
            DATABASE_URL: database.url,
            DATA_DIR: dataDir,
            PORT: '0',
            LOG_FORMAT: 'json',
            LOG_LEVEL: 'debug',
          },
          ...{ ADMIN_ENABLED: 'false', CONVERTER_PROCESSES: '0' },
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const said: string[] = [];
      const ended = once(npm, 'close');
      createInterface({ input: npm.stdout }).on('line', (line) => said.push(line));
      try {
        await eventually(() => said.some((line) => line.includes(moment)) || npm.exitCode !== null, Boolean);
        npm.kill('SIGTERM');
        await inTime('`npm start` to end', ended, () => said.join('\n'));
        expect(said.at(-1)).toContain('Quire has stopped');
      } finally {
        npm.kill('SIGKILL');
        await database.drop();
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  );
});
