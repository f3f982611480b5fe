import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectNothingLost, textsOf } from '../support/fault-checks.ts';
import { randomFrom, seedsOf } from '../support/fault-random.ts';
import { FaultStorage } from '../support/fault-storage.ts';
import { FaultWorld } from '../support/fault-world.ts';
import type { Writer } from '../support/fault-writer.ts';

const letters = 10;

const settings = { FORCE_SAVE_INTERVAL_MS: '600', CALLBACK_TIMEOUT_MS: '3000' };
const press = ({ session }: Writer) => session.client.forceSave().catch(() => null);
const stateOf = async (world: FaultWorld) =>
  (await world.query<{ state: string }>('SELECT state FROM documents WHERE key = $1', [world.key]))[0]?.state;

describe.concurrent('a storage that fails while people type, come and go and processes die', {
  timeout: 240_000,
}, () => {
  it.for(seedsOf(21, 22))(
    '[SD18] has everything in the end, and never an older file after a newer one, seed %i',
    async (seed) => {
      const random = randomFrom(seed);
      const world = await FaultWorld.open({ environment: settings });
      try {
        const storage = new FaultStorage(world.integrator, world.key, random);
        storage.failing = 0.5;
        const ann = await world.join('ann', 'websocket');
        const bob = await world.join('bob', 'plain');
        const steps: (() => Promise<unknown>)[] = [
          async () => void press(ann),
          async () => void press(bob),
          async () => {
            await world.quire.kill();
            await world.quire.restart();
          },
          () => world.killConverter(),
          async () => {
            storage.failing = random();
          },
        ];
        for (let round = 0; round < 6; round += 1) {
          const stops = [ann, bob].map((writer) => writer.keepTyping());
          await steps[round < steps.length ? round : Math.floor(random() * steps.length)]!();
          await Promise.all([ann, bob].map((writer) => writer.getsOnBy(letters)));
          await Promise.all(stops.map((stop) => stop()));
        }
        await expectNothingLost(world, [ann, bob]);
        storage.failing = 1;
        for (const { session } of [ann, bob]) await session.close();
        await eventually(
          () => stateOf(world),
          (state) => state === 'delivering',
        );
        const refused = storage.refused;
        await eventually(
          async () => storage.refused,
          (count) => count > refused,
        );
        await eventually(
          () => comeBack(world),
          (isBack) => isBack,
        );
        const carol = world.writers.at(-1)!;
        for (let count = 0; count < letters; count += 1) carol.type();
        await carol.until('everything stored', ({ saved }) => saved);
        for (const writer of [ann, bob, carol]) expect(writer.complaintsAbout(carol.doc)).toEqual([]);
        const wanted = textsOf(carol.doc);
        storage.failing = 0;
        await carol.session.close();
        await eventually(
          () => stateOf(world),
          (state) => state === 'closed',
        );
        expect(storage.complaints).toEqual([]);
        expect(storage.texts).toEqual(wanted);
        expect(storage.kept).toBeGreaterThan(0);
        const left = await world.query(
          `SELECT id FROM saves WHERE key = $1 AND state IN ('assembling', 'pending')`,
          [world.key],
        );
        expect(left).toEqual([]);
      } finally {
        await world.close();
      }
    },
  );
});

/** Carol opens the document that waits to be delivered; in vain while a delivery is under way. */
async function comeBack(world: FaultWorld): Promise<boolean> {
  const carol = await world.join('carol', 'websocket');
  if (!carol.session.client.status.readOnly) return true;
  await carol.session.close();
  return false;
}
