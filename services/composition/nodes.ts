import os from 'node:os';
import type { Logger } from 'pino';
import { MemoryCoordination } from '../../platform/adapters/memory-coordination.ts';
import { RedisConnection } from '../../platform/adapters/redis/redis-connection.ts';
import { RedisDocumentBus } from '../../platform/adapters/redis/redis-document-bus.ts';
import { RedisLeases, RedisSharedValues } from '../../platform/adapters/redis/redis-stores.ts';

import { type LeaseStore, type LeaseTerms, RenewedLeases } from '../../platform/adapters/renewed-leases.ts';
import { SharedCoordination, type SharedValueStore } from '../../platform/adapters/shared-coordination.ts';
import type { Config } from '../../platform/config.ts';
import type { Coordination, DocumentBus, NodeLeases } from '../../platform/ports/coordination.ts';
import type { WorkerRole } from '../workers/worker-role.ts';
import type { Shutdown } from './shutdown.ts';

/** As the node that is the only one is called in the database; the same after each start. */
const aloneId = 'alone';

/** How often a node renews while a lease of `NODE_LEASE_MS` runs. */
const renewalsInLease = 5;
/** The leases of a server's nodes, as `NODE_LEASE_MS` says. */
export const leaseTermsOf = ({ nodeLeaseMs: leaseMs }: Pick<Config, 'nodeLeaseMs'>): LeaseTerms => ({
  leaseMs,
  renewEveryMs: leaseMs / renewalsInLease,
});

/** What nodes share, and how they know of each other. */
export interface NodeParts {
  nodeId: string;
  /** What operators call it. */
  name: string;
  coordination: Coordination;
  /** Null on a server that is the only one. */
  nodes: { bus: DocumentBus; leases: NodeLeases } | null;
  redis: RedisConnection | null;
}

/** What operators call this process: `NODE_NAME`, else the host's name; a worker has its number behind it. */
export function nodeName(
  config: Pick<Config, 'nodeName'>,
  worker: Pick<WorkerRole, 'number'> | null,
): string {
  const host = os.hostname().replace(/[^0-9A-Za-z._-]+/g, '-');
  const name = config.nodeName ?? (host.slice(0, 63) || 'node');
  return worker ? `${name}-${worker.number}` : name;
}

/**
 * With `REDIS_URL` this process is one of several nodes. Without it, it is the only node, or one of the workers of a server,
 * whose primary process keeps what they share. Leases of workers are kept by their primary process also with Redis.
 */
export async function openNodes(
  config: Config,
  worker: WorkerRole | null,
  log: Logger,
  shutdown: Shutdown,
): Promise<NodeParts> {
  const name = nodeName(config, worker);
  const { redisUrl, redisPrefix: prefix } = config;
  if (redisUrl) {
    const redis = await RedisConnection.connect(redisUrl, log);
    shutdown.add(() => redis.close());
    const leases = await openLeases(worker?.link ?? new RedisLeases(redis, prefix));
    const { nodeId } = leases;
    const bus = await RedisDocumentBus.open(redis, prefix, nodeId, log);
    shutdown.add(async () => bus.close());
    const coordination = await openCoordination(new RedisSharedValues(redis, prefix), bus, leases);
    return { nodeId, name, coordination, nodes: { bus, leases }, redis };
  }
  if (worker) {
    const leases = await openLeases(worker.link);
    const { nodeId } = leases;
    const bus = worker.link.busOf(nodeId);
    const coordination = await openCoordination(worker.link, bus, leases);
    return { nodeId, name, coordination, nodes: { bus, leases }, redis: null };
  }
  return { nodeId: aloneId, name, coordination: new MemoryCoordination(), nodes: null, redis: null };

  async function openLeases(store: LeaseStore): Promise<RenewedLeases> {
    const leases = await RenewedLeases.open(store, leaseTermsOf(config), log, name);
    shutdown.add(() => leases.close());
    return leases;
  }

  async function openCoordination(
    store: SharedValueStore,
    bus: DocumentBus,
    leases: NodeLeases,
  ): Promise<SharedCoordination> {
    const coordination = await SharedCoordination.withOwnership(store, bus, leases);
    shutdown.add(() => coordination.close());
    return coordination;
  }
}
