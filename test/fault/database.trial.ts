import { describe, expect, it } from 'vitest';
import { expectClosed, expectDelivered, expectNothingLost } from '../support/fault-checks.ts';
import { RestartablePostgres } from '../support/fault-postgres.ts';
import { FaultWorld } from '../support/fault-world.ts';

describe.concurrent('the database is restarted while people type', () => {
  it.for([
    ['FT40', 'in order', 'SIGINT'],
    ['FT41', 'at once', 'SIGQUIT'],
    ['FT42', 'by kill -9', 'SIGKILL'],
  ] as const)('[%s] %s: the server lives on and nothing acknowledged is lost', async ([, , signal]) => {
    const postgres = await RestartablePostgres.start();
    try {
      const world = await FaultWorld.open({ databaseUrl: postgres.url });
      try {
        const writers = [await world.join('ann', 'websocket'), await world.join('bob', 'polling')];
        const stops = writers.map((writer) => writer.keepTyping());
        await Promise.all(writers.map((writer) => writer.getsOnBy(20)));
        await postgres.end(signal);
        await world.until('the server has noticed', () =>
          world.quire.log.some(({ msg }) => msg === 'The connection that keeps other servers away broke'),
        );
        await postgres.startAgain();
        await Promise.all(writers.map((writer) => writer.getsOnBy(20)));
        await Promise.all(stops.map((stop) => stop()));
        await expectNothingLost(world, writers);
        for (const { session } of writers) await session.close();
        await expectDelivered(world, writers);
        await expectClosed(world);
        expect(world.quire.isRunning).toBe(true);
      } finally {
        await world.close();
      }
    } finally {
      await postgres.remove();
    }
  });

  it('[FT43] an embedded one that is killed is started again by its server', async () => {
    const world = await FaultWorld.open({ embedded: true });
    try {
      const writers = [await world.join('ann', 'plain'), await world.join('bob', 'polling')];
      const stops = writers.map((writer) => writer.keepTyping());
      await Promise.all(writers.map((writer) => writer.getsOnBy(20)));
      const killed = await world.postmasterPid();
      process.kill(killed, 'SIGKILL');
      await world.until('the server has noticed', () =>
        world.quire.log.some(({ msg }) => msg === 'The connection that keeps other servers away broke'),
      );
      await Promise.all(writers.map((writer) => writer.getsOnBy(20)));
      await Promise.all(stops.map((stop) => stop()));
      await expectNothingLost(world, writers);
      expect(await world.postmasterPid()).not.toBe(killed);
      for (const { session } of writers) await session.close();
      await expectDelivered(world, writers);
      await expectClosed(world);
      expect(world.quire.isRunning).toBe(true);
    } finally {
      await world.close();
    }
  });
});
