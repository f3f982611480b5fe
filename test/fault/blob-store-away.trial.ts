import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../client/protocol/index.ts';
import { eventually } from '../support/eventually.ts';
import { expectClosed, expectDelivered, expectNothingLost } from '../support/fault-checks.ts';
import { FaultWorld } from '../support/fault-world.ts';
import { hasS3Server, TestS3 } from '../support/s3-server.ts';

/** How long the store stays away at least, milliseconds; minutes in long runs. */
const awayMs = Number(process.env.STORE_AWAY_MS ?? 0);

describe.skipIf(!hasS3Server)(
  'the S3 store goes away (needs versitygw)',
  { timeout: 60_000 + awayMs },
  () => {
    let s3: TestS3;
    let world: FaultWorld;
    beforeAll(async () => {
      s3 = await TestS3.start();
      world = await FaultWorld.open({ environment: { ...s3.environment, S3_ATTEMPTS: '2' } });
    });
    afterAll(async () => {
      await world?.close();
      await s3?.close();
    });

    const isHealthy = async () => (await fetch(`${world.quire.address}/healthcheck`)).text();

    it('[OS10] saves go on, openings fail with their code, and the file is made when it is back', async () => {
      const writers = [await world.join('ann', 'websocket'), await world.join('bob', 'polling')];
      const stops = writers.map((writer) => writer.keepTyping());
      await Promise.all(writers.map((writer) => writer.getsOnBy(10)));
      expect(await isHealthy()).toBe('true');
      await s3.pause();
      await Promise.all(writers.map((writer) => writer.getsOnBy(20)));
      await Promise.all(stops.map((stop) => stop()));
      await expectNothingLost(world, writers);

      const other = world.otherDocument('other');
      const refused = await world.join('carol', 'plain', other).then(
        () => null,
        (error: Error) => error,
      );
      expect(refused).toMatchObject({ status: 'err', data: ServiceError.storage });
      await eventually(isHealthy, (health) => health === 'false');

      for (const { session } of writers) await session.close();
      await world.until('an assembly has failed', () =>
        world.quire.log.some(({ msg, job }) => msg.startsWith('A job failed') && job === 'assemble'),
      );
      await new Promise((resolve) => setTimeout(resolve, awayMs));
      expect(world.integrator.callbacksOf(world.key).filter(({ status }) => status > 1)).toEqual([]);

      await s3.resume();
      await expectDelivered(world, writers);
      await expectClosed(world);
      await eventually(isHealthy, (health) => health === 'true');
      await (await world.join('carol', 'plain', other)).session.close();
    });
  },
);
