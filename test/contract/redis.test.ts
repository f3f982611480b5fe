import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { RedisConnection } from '../../platform/adapters/redis/redis-connection.ts';
import { CoordinationUnavailable } from '../../platform/ports/coordination.ts';
import { eventually } from '../support/eventually.ts';
import { hasRedis, redisCli, startRedis, type TestRedis } from '../support/redis.ts';
import { silentLog } from '../support/silent-log.ts';
import { counter, describeOn, Notes, RedisNodes } from './redis-nodes.ts';

describeOn('one Redis', startRedis);

describe.skipIf(!hasRedis)('Redis that fails', () => {
  let redis: TestRedis;
  let nodes: RedisNodes;
  beforeAll(async () => {
    redis = await startRedis();
    nodes = new RedisNodes(redis.url);
  });
  afterAll(async () => {
    await nodes?.close();
    await redis?.stop();
  });

  test('[RD6] a step fails in time while Redis does not answer, and the next ones are made when it does', async () => {
    const [one, other] = await nodes.coordinations();
    const document = randomUUID();
    const add = () => one.update(document, counter, (value) => [value + 1, value]);
    expect(await add()).toBe(0);
    redis.pause();
    await expect(add()).rejects.toThrow(CoordinationUnavailable);
    redis.resume();
    await eventually(add);
    expect(await other.update(document, counter, (value) => [value, value])).toBe(await add());
  });

  test('[RD13] a node keeps cells while it can be asked for them, and is not waited for when it cannot', async () => {
    const [one, two] = [await nodes.node('kept'), await nodes.node('kept')];
    const document = randomUUID();
    const own = { ...counter, isOwn: () => true };
    const add = ({ coordination }: typeof one) =>
      coordination.update(document, own, (value) => [value + 1, value]);
    await eventually(async () => {
      await add(one);
      expect(one.leases.isHeld()).toBe(true);
    });
    const before = await add(one);
    expect(await add(two)).toBe(before + 1);
    const kept = await add(one);
    expect(kept).toBe(before + 2);
    await add(one);
    // The connection breaks that it listens with, as if the process had been killed; its lease runs on.
    one.connection.subscriptions.disconnect();
    expect(await add(two)).toBeGreaterThan(before);
    const after = await add(two);
    expect(await add(one), 'it does not go by what it kept').toBe(after + 1);
  });

  test('[RD7] what is kept of a document ends by itself when nobody looks at it, and when it is empty nothing is kept', async () => {
    const [one] = await nodes.coordinations();
    const document = randomUUID();
    const keys = async () => (await redisCli(redis.port, 'KEYS', `*${document}*`)).split('\n');
    const notes = { name: 'notes', mostEntries: 10, mostBytes: 1_000 };
    await one.update(document, counter, () => [5, undefined]);
    await one.append(document, notes, 'a note');
    const kept = await keys();
    expect(kept).toHaveLength(2);
    for (const key of kept) expect(Number(await redisCli(redis.port, 'PTTL', key))).toBeGreaterThan(0);
    await one.update(document, counter, () => [counter.empty, undefined]);
    await one.clear(document, notes);
    expect(await keys()).toEqual(['']);
  });

  test('[RD8] after Redis was gone listeners are told that they may have missed something, and hear again', async () => {
    const [one, two] = [await nodes.busEnd(), await nodes.busEnd()];
    const leases = await nodes.leases(randomUUID());
    const lapsed = vi.fn();
    leases.watch({ died: () => undefined, lapsed });
    const document = randomUUID();
    const notes = new Notes();
    await two.bus.listen(document, notes);
    await redis.kill();
    one.bus.publish(document, 'lost');
    await eventually(() => expect(leases.isHeld()).toBe(false));
    expect(lapsed).toHaveBeenCalledTimes(1);
    await redis.startAgain();
    await eventually(() => expect(notes.interruptions).toBeGreaterThan(0));
    await eventually(() => {
      one.bus.publish(document, 'back');
      expect(notes.texts).toContain('back');
    });
    await eventually(() => expect(leases.isHeld()).toBe(true));
  });

  test('[RD9] an address that no Redis answers at is named in the error, without its password', async () => {
    const failure = RedisConnection.connect('redis://ann:hunter2@127.0.0.1:1', silentLog, 100);
    await expect(failure).rejects.toThrow(/127\.0\.0\.1:1/);
    await expect(failure).rejects.not.toThrow(/hunter2/);
  });
});
