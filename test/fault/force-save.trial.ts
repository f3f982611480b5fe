import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  expectClosed,
  expectDelivered,
  expectForcedFilesRight,
  expectNothingLost,
} from '../support/fault-checks.ts';
import { randomFrom, seedsOf } from '../support/fault-random.ts';
import { FaultWorld } from '../support/fault-world.ts';
import type { Writer } from '../support/fault-writer.ts';

const letters = 15;

/** Presses the save button; the answer may be lost with the server. */
const press = ({ session }: Writer) => session.client.forceSave().catch(() => null);

/** Everything of the log is with the integrator, says the server to everybody. */
const allStored = (world: FaultWorld, writers: readonly Writer[]) =>
  world.until('everything is stored', () =>
    writers.every(({ session: { client } }) => client.stored?.index === client.status.acknowledgedIndex),
  );

/** Saves once more, types once more, leaves: what comes is right and complete. */
async function endWell(world: FaultWorld, writers: readonly Writer[]): Promise<void> {
  await expectNothingLost(world, writers);
  // 4: it was stored before the button was pressed.
  expect([0, 4]).toContain((await press(writers[0]!))?.code);
  await allStored(world, writers);
  const indices = await expectForcedFilesRight(world);
  expect(indices.at(-1)).toBe(total(writers));
  writers[0]!.type();
  await writers[0]!.session.saved();
  for (const { session } of writers) await session.close();
  await expectDelivered(world, writers);
  await expectClosed(world);
}

const total = (writers: readonly Writer[]) => writers.reduce((sum, { count }) => sum + count, 0);

async function twoType(world: FaultWorld) {
  const writers = [await world.join('ann', 'websocket'), await world.join('bob', 'plain')] as const;
  const stops = writers.map((writer) => writer.keepTyping());
  await Promise.all(writers.map((writer) => writer.getsOnBy(letters)));
  return { writers, stop: async () => void (await Promise.all(stops.map((stop) => stop()))) };
}

describe.concurrent('the server dies in a forced save while people type', () => {
  it.for([
    ['FT60', 'forced:requested', 1],
    ['FT61', 'delivery:before-callback', 1],
    ['FT62', 'delivery:after-callback', 2],
    ['FT63', 'delivery:recorded', 1],
  ] as const)('[%s] at %s: the file arrives, nobody loses anything', async ([, faultPoint, callbacks]) => {
    const world = await FaultWorld.open({ faultPoint });
    try {
      const { writers, stop } = await twoType(world);
      await world.arm();
      void press(writers[0]);
      await world.dieAndRestart();
      await Promise.all(writers.map((writer) => writer.getsOnBy(letters)));
      for (let arrived = 0; arrived < callbacks; arrived += 1) {
        await world.integrator.waitForCallback(world.key, ({ status }) => status === 6);
      }
      await stop();
      const indices = await expectForcedFilesRight(world);
      expect(new Set(indices).size).toBe(1);
      await world.until('people are told', () =>
        writers.every(({ session }) => session.client.stored?.index === indices[0]),
      );
      await endWell(world, writers);
    } finally {
      await world.close();
    }
  });
});

describe.concurrent('the converter dies in a forced save while people type', () => {
  it.for([
    ['FT64', 'forced:started'],
    ['FT65', 'forced:result-stored'],
    ['FT66', 'forced:recorded'],
  ] as const)('[%s] at %s: another one makes the file', async ([, faultPoint]) => {
    const world = await FaultWorld.open({ faultPoint });
    try {
      const { writers, stop } = await twoType(world);
      await world.arm();
      expect((await press(writers[0]))?.code).toBe(0);
      await world.until('the converter has died', () => world.struck);
      await world.integrator.waitForCallback(world.key, ({ status }) => status === 6);
      await Promise.all(writers.map((writer) => writer.getsOnBy(letters)));
      await stop();
      expect(await expectForcedFilesRight(world)).toHaveLength(1);
      expect(world.quire.isRunning).toBe(true);
      await endWell(world, writers);
    } finally {
      await world.close();
    }
  });

  it('[FT67] and everybody leaves: the final file comes, and no older one after it', async () => {
    const world = await FaultWorld.open({ faultPoint: 'forced:started' });
    try {
      const { writers, stop } = await twoType(world);
      await stop();
      await expectNothingLost(world, writers);
      await world.arm();
      await press(writers[0]);
      await world.until('the converter has died', () => world.struck);
      for (const { session } of writers) await session.close();
      const statuses = () => world.integrator.callbacksOf(world.key).map(({ status }) => status);
      // The forced save, made by another converter, may come before it.
      await expectDelivered(world, writers, () => statuses().includes(6));
      await expectClosed(world);
      expect(statuses().at(-1)).toBe(2);
    } finally {
      await world.close();
    }
  });
});

describe.concurrent('forced saves again and again while processes are killed', () => {
  it.for(seedsOf(11, 12))('[FT68] every file is right, the last has everything, seed %i', async (seed) => {
    const random = randomFrom(seed);
    const world = await FaultWorld.open({ environment: { FORCE_SAVE_INTERVAL_MS: '300' } });
    try {
      const { writers, stop } = await twoType(world);
      for (let round = 0; round < 4; round += 1) {
        void press(writers[round % 2]!);
        await new Promise((resolve) => setTimeout(resolve, random() * 400));
        if (round % 2 === 0) {
          await world.quire.kill();
          await world.quire.restart();
        } else await world.killConverter();
        await Promise.all(writers.map((writer) => writer.getsOnBy(letters)));
      }
      await stop();
      await expectNothingLost(world, writers);
      await eventually(
        () =>
          world.query(`SELECT id FROM saves WHERE key = $1 AND state IN ('assembling', 'pending')`, [
            world.key,
          ]),
        (rows) => rows.length === 0,
      );
      await endWell(world, writers);
    } finally {
      await world.close();
    }
  });
});
