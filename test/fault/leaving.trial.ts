import { describe, expect, it } from 'vitest';
import { expectClosed, expectDelivered, expectNothingLost, fetchResult } from '../support/fault-checks.ts';
import { FaultWorld } from '../support/fault-world.ts';
import type { Writer } from '../support/fault-writer.ts';

const letters = 15;
/** Nobody comes back here, so nobody is waited for. */
const environment = { RECONNECT_GRACE_MS: '100' };

/** Ann and Bob type and have everything stored; the fault is armed. */
async function twoHaveTyped(world: FaultWorld): Promise<Writer[]> {
  const writers = [await world.join('ann', 'websocket'), await world.join('bob', 'plain')];
  const stops = writers.map((writer) => writer.keepTyping());
  await Promise.all(writers.map((writer) => writer.getsOnBy(letters)));
  await Promise.all(stops.map((stop) => stop()));
  await expectNothingLost(world, writers);
  await world.arm();
  return writers;
}

describe.concurrent('the server dies when people have left', () => {
  it.for([
    ['FT10', 'closing:recorded', 'with a word', 1],
    ['FT11', 'closing:recorded', 'without a word', 1],
    ['FT12', 'assembly:begun', 'without a word', 1],
    ['FT13', 'delivery:before-callback', 'with a word', 1],
    ['FT14', 'delivery:after-callback', 'with a word', 2],
    ['FT15', 'delivery:recorded', 'with a word', 1],
  ] as const)(
    '[%s] at %s, people leaving %s: the callback arrives',
    async ([, faultPoint, manner, callbacks]) => {
      const world = await FaultWorld.open({ faultPoint, environment });
      try {
        const writers = await twoHaveTyped(world);
        for (const { session } of writers) {
          if (manner === 'with a word') await session.close();
          else session.client.abort();
        }
        await world.dieAndRestart();
        await expectDelivered(world, writers);
        await expectClosed(world);
        const told = world.integrator.callbacksOf(world.key);
        expect(told.map(({ status }) => status)).toEqual(Array(callbacks).fill(2));
        const results = await Promise.all(told.map(fetchResult));
        for (const result of results) expect(Buffer.compare(result, results[0]!)).toBe(0);
        const { url: _url, changesurl: _changes, ...same } = told[0]!.body;
        for (const { body } of told) expect(body).toMatchObject(same);
      } finally {
        await world.close();
      }
    },
  );
});

describe.concurrent('the converter dies in an assembly', () => {
  it.for([
    ['FT20', 'assembly:started'],
    ['FT21', 'assembly:result-stored'],
    ['FT22', 'assembly:recorded'],
  ] as const)('[%s] at %s: another one ends the work, the server lives on', async ([, faultPoint]) => {
    const world = await FaultWorld.open({ faultPoint });
    try {
      const writers = await twoHaveTyped(world);
      for (const { session } of writers) await session.close();
      await expectDelivered(world, writers);
      await expectClosed(world);
      expect(world.struck).toBe(true);
      expect(world.quire.isRunning).toBe(true);
      expect(world.integrator.callbacksOf(world.key)).toHaveLength(1);
    } finally {
      await world.close();
    }
  });

  it('[FT23] somebody who comes back meanwhile takes the document up with all changes', async () => {
    const world = await FaultWorld.open({ faultPoint: 'assembly:started' });
    try {
      const [ann, bob] = (await twoHaveTyped(world)) as [Writer, Writer];
      await bob.session.close();
      await ann.session.close();
      await world.until('the converter has died', () => world.struck);
      const carol = await world.join('carol', 'websocket');
      const stop = carol.keepTyping();
      await carol.getsOnBy(letters);
      await stop();
      await carol.session.saved();
      expect(ann.complaintsAbout(carol.doc)).toEqual([]);
      await carol.session.close();
      await expectDelivered(world, [ann, bob, carol]);
      await expectClosed(world);
      expect(world.integrator.callbacksOf(world.key)).toHaveLength(1);
    } finally {
      await world.close();
    }
  });
});
