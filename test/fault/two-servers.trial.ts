import { describe, expect, it } from 'vitest';
import { expectClosed, expectDelivered, expectNothingLost } from '../support/fault-checks.ts';
import { FaultWorld } from '../support/fault-world.ts';
import { QuireProcess } from '../support/quire-process.ts';

describe.concurrent('a second server without Redis', () => {
  it.for([
    ['FT50', 'database', false],
    ['FT51', 'data directory', true],
  ] as const)('[%s] on the same %s does not start and disturbs nobody', async ([, , embedded]) => {
    const world = await FaultWorld.open({ embedded });
    try {
      const writers = [await world.join('ann', 'websocket'), await world.join('bob', 'plain')];
      const stops = writers.map((writer) => writer.keepTyping());
      await Promise.all(writers.map((writer) => writer.getsOnBy(10)));
      const second = QuireProcess.start(
        embedded ? { DATA_DIR: world.quire.dataDir } : { DATABASE_URL: await world.databaseUrl() },
      );
      await expect(second).rejects.toThrow(
        /ended \(1\) before it was ready[\s\S]*Another Quire server uses this database/,
      );
      await Promise.all(writers.map((writer) => writer.getsOnBy(10)));
      await Promise.all(stops.map((stop) => stop()));
      expect(world.quire.isRunning).toBe(true);
      expect(writers.map(({ lostConnections }) => lostConnections)).toEqual([0, 0]);
      await expectNothingLost(world, writers);
      for (const { session } of writers) await session.close();
      await expectDelivered(world, writers);
      await expectClosed(world);
    } finally {
      await world.close();
    }
  });
});
