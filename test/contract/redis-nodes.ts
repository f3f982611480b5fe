import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { RedisConnection } from '../../platform/adapters/redis/redis-connection.ts';
import { RedisDocumentBus } from '../../platform/adapters/redis/redis-document-bus.ts';
import { RedisLeases, RedisSharedValues } from '../../platform/adapters/redis/redis-stores.ts';
import { RenewedLeases } from '../../platform/adapters/renewed-leases.ts';
import { SharedCoordination } from '../../platform/adapters/shared-coordination.ts';
import type { DocumentListener } from '../../platform/ports/coordination.ts';
import { hasRedis } from '../support/redis.ts';
import { silentLog } from '../support/silent-log.ts';
import { describeCoordination } from './coordination.ts';
import { type BusEnd, describeDocumentBus } from './document-bus.ts';
import { describeNodeLeases } from './node-leases.ts';

const leaseMs = 600;
export const counter = { name: 'counter', empty: 0 };

/** The adapters of some nodes on one Redis, and their end. */
export class RedisNodes {
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
      { leaseMs, renewEveryMs: leaseMs / 5 },
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

/** What a listener was told. */
export class Notes implements DocumentListener {
  readonly texts: string[] = [];
  interruptions = 0;

  received(_nodeId: string, text: string): void {
    this.texts.push(text);
  }

  interrupted(): void {
    this.interruptions += 1;
  }
}

/** The contracts of the ports that Redis stands behind, on one. */
export function describeOn(name: string, start: () => Promise<{ url: string; stop(): Promise<void> }>): void {
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
