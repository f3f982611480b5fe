import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { RedisConnection } from '../../platform/adapters/redis/redis-connection.ts';
import { RedisDocumentBus } from '../../platform/adapters/redis/redis-document-bus.ts';
import { RedisLeases, RedisSharedValues } from '../../platform/adapters/redis/redis-stores.ts';
import { RenewedLeases } from '../../platform/adapters/renewed-leases.ts';
import { SharedCoordination } from '../../platform/adapters/shared-coordination.ts';
import { CoordinationUnavailable, type DocumentListener } from '../../platform/ports/coordination.ts';
import { eventually } from '../support/eventually.ts';

import {
  hasRedis,
  redisCli,
  startRedis,
  startRedisCluster,
  startSentinel,
  type TestRedis,
} from '../support/redis.ts';
import { silentLog } from '../support/silent-log.ts';
import { describeCoordination } from './coordination.ts';
import { type BusEnd, describeDocumentBus } from './document-bus.ts';
import { describeNodeLeases } from './node-leases.ts';

const leaseMs = 600;
const counter = { name: 'counter', empty: 0 };

/** The adapters of some nodes on one Redis, and their end. */
class RedisNodes {
  readonly #url: string;
  readonly #connections: RedisConnection[] = [];
  readonly #ends: (() => unknown)[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  async connect(): Promise<RedisConnection> {
    const connection = await RedisConnection.connect(this.#url, silentLog);
    this.#connections.push(connection);
    return connection;
  }

  async coordinations(): Promise<[SharedCoordination, SharedCoordination]> {
    return [(await this.node('test')).coordination, (await this.node('test')).coordination];
  }

  /** A node that keeps cells. */
  async node(prefix: string) {
    const connection = await this.connect();
    const leases = await this.leases(prefix);
    const bus = await RedisDocumentBus.open(connection, prefix, leases.nodeId, silentLog);
    this.#ends.push(() => bus.close());
    const cells = new RedisSharedValues(connection, prefix);
    return { connection, leases, coordination: await SharedCoordination.withOwnership(cells, bus, leases) };
  }

  async busEnd(): Promise<BusEnd & { bus: RedisDocumentBus }> {
    const nodeId = randomUUID();
    const bus = await RedisDocumentBus.open(await this.connect(), 'test', nodeId, silentLog);
    this.#ends.push(() => bus.close());
    return { nodeId, bus };
  }

  async leases(prefix: string): Promise<RenewedLeases> {
    const leases = await RenewedLeases.open(
      new RedisLeases(await this.connect(), prefix),
      leaseMs,
      silentLog,
    );
    this.#ends.push(() => leases.close());
    return leases;
  }

  async close(): Promise<void> {
    for (const end of this.#ends) await end();
    for (const connection of this.#connections) await connection.close();
  }
}

class Notes implements DocumentListener {
  readonly texts: string[] = [];
  interruptions = 0;

  received(_nodeId: string, text: string): void {
    this.texts.push(text);
  }

  interrupted(): void {
    this.interruptions += 1;
  }
}

function describeOn(name: string, start: () => Promise<{ url: string; stop(): Promise<void> }>): void {
  describe.skipIf(!hasRedis)(name, () => {
    let server: { url: string; stop(): Promise<void> };
    let nodes: RedisNodes;
    beforeAll(async () => {
      server = await start();
      nodes = new RedisNodes(server.url);
    });
    afterAll(async () => {
      await nodes?.close();
      await server?.stop();
    });
    describeCoordination(name, () => nodes.coordinations());
    describeDocumentBus(name, async () => [await nodes.busEnd(), await nodes.busEnd(), await nodes.busEnd()]);
    describeNodeLeases(name, leaseMs, () => {
      const prefix = randomUUID();
      return () => nodes.leases(prefix);
    });
  });
}

describeOn('one Redis', startRedis);
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

  test('[RD7] what is kept of a document ends by itself when nobody looks at it, and forgetting leaves nothing', async () => {
    const [one] = await nodes.coordinations();
    const document = randomUUID();
    await one.update(document, counter, () => [5, undefined]);
    const [key] = (await redisCli(redis.port, 'KEYS', `*${document}*`)).split('\n');
    expect(Number(await redisCli(redis.port, 'PTTL', key!))).toBeGreaterThan(0);
    await one.forget(document);
    expect(await redisCli(redis.port, 'KEYS', `*${document}*`)).toBe('');
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
