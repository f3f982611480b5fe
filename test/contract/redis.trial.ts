import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { hasRedis, startRedisCluster, startSentinel } from '../support/redis.ts';
import { counter, describeOn, Notes, RedisNodes } from './redis-nodes.ts';

describeOn('a cluster of three', startRedisCluster);

describe.skipIf(!hasRedis)('Redis that changes', () => {
  test('[RD5] a document is listened to on, and its cells are found, when its shard of the cluster is another one', async () => {
    const cluster = await startRedisCluster();
    const nodes = new RedisNodes(cluster.url);
    try {
      const [one, two] = [await nodes.busEnd(), await nodes.busEnd()];
      const [coordination] = await nodes.coordinations();
      const document = randomUUID();
      const notes = new Notes();
      await two.bus.listen(document, notes);
      one.bus.publish(document, 'before');
      await eventually(() => expect(notes.texts).toEqual(['before']));
      await cluster.moveSlotOf(`{${document}}`);
      const add = () => coordination.update(document, counter, (value) => [value + 1, value]);
      expect(await eventually(add)).toBe(0);
      await eventually(() => {
        one.bus.publish(document, 'after');
        expect(notes.texts).toContain('after');
        expect(notes.interruptions).toBeGreaterThan(0);
      });
    } finally {
      await nodes.close();
      await cluster.stop();
    }
  });

  test('[RD12] when the master that sentinels watch is gone, everything goes on with the one that took its place', async () => {
    const sentinel = await startSentinel();
    const nodes = new RedisNodes(sentinel.url);
    try {
      const [one, two] = [await nodes.busEnd(), await nodes.busEnd()];
      const [coordination, other] = await nodes.coordinations();
      const document = randomUUID();
      const notes = new Notes();
      await two.bus.listen(document, notes);
      const add = (by: typeof other) => by.update(document, counter, (value) => [value + 1, value]);
      await add(coordination);
      await sentinel.failOver();
      await eventually(() => add(coordination));
      expect(await eventually(() => add(other))).toBeGreaterThan(0);
      await eventually(() => {
        one.bus.publish(document, 'after');
        expect(notes.texts).toContain('after');
      });
      expect(notes.interruptions).toBeGreaterThan(0);
    } finally {
      await nodes.close();
      await sentinel.stop();
    }
  });
});
