import { describe, expect, it } from 'vitest';
import { expectClosed, expectDelivered, expectNothingLost } from '../support/fault-checks.ts';
import { FaultWorld } from '../support/fault-world.ts';

const lettersBetween = 25;

describe.concurrent('the server dies while two people type', () => {
  it.for([
    ['FT1', 'save:received', 'polling', true],
    ['FT2', 'save:committed', 'plain', false],
    ['FT3', 'save:acknowledged', 'polling', false],
  ] as const)('[%s] at %s: nothing is lost or doubled', async ([, faultPoint, transport, embedded]) => {
    const world = await FaultWorld.open({ faultPoint, embedded });
    try {
      const writers = [await world.join('ann', 'websocket'), await world.join('bob', transport)];
      const stops = writers.map((writer) => writer.keepTyping());
      await Promise.all(writers.map((writer) => writer.getsOnBy(lettersBetween)));
      await world.arm();
      await world.dieAndRestart();
      await Promise.all(writers.map((writer) => writer.getsOnBy(lettersBetween)));
      await Promise.all(stops.map((stop) => stop()));
      await expectNothingLost(world, writers);
      for (const writer of writers) expect(writer.lostConnections).toBeGreaterThan(0);
      await Promise.all(writers.map(({ session }) => session.close()));
      await expectDelivered(world, writers);
      await expectClosed(world);
    } finally {
      await world.close();
    }
  });
});
