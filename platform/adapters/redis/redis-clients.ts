import { Cluster, type CommonRedisOptions, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '../../config/redis-address.ts';

/** One server, a server that sentinels name, or a cluster. */
export type RedisClient = Redis | Cluster;

/**
 * `commands`: answers come in time or fail. `subscriptions`: for what is published and nothing else. `jobs`: for BullMQ,
 * whose commands may block for long.
 */
export type RedisPurpose = 'commands' | 'subscriptions' | 'jobs';

/** A command without an answer has failed after this long. */
export const commandTimeoutMs = 2_000;
const connectTimeoutMs = 5_000;
/** A connection over which nothing came for this long is dead; something is asked for more often. */
const silenceMs = 7_000;
const firstRetryMs = 50;
const longestRetryMs = 2_000;

/** The pause before the n-th attempt to connect (from 1): doubling, spread by half, two seconds at most. */
function retryDelayMs(attempt: number): number {
  const delayMs = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(attempt - 1, 10));
  return Math.round(delayMs * (0.5 + Math.random() / 2));
}

/** Opens a connection of its own for a purpose. It connects by itself and again whenever it breaks. */
export function openRedis(address: RedisAddress, purpose: RedisPurpose): RedisClient {
  const { kind, hosts, username, password, database } = address;
  const tls = address.tls ? {} : undefined;
  const common: CommonRedisOptions & Pick<RedisOptions, 'tls'> = {
    ...optionsOf(purpose),
    connectTimeout: connectTimeoutMs,
    maxRetriesPerRequest: null,
    connectionName: `quire-${purpose}`,
    username,
    password,
    tls,
  };
  if (kind === 'cluster') {
    return new Cluster([...hosts], {
      redisOptions: common,
      clusterRetryStrategy: retryDelayMs,
      slotsRefreshTimeout: commandTimeoutMs,
      // Names of certificates are those that the nodes announce; an address that was looked up here would not match.
      ...(tls
        ? { dnsLookup: (host: string, done: (error: null, address: string) => void) => done(null, host) }
        : {}),
      shardedSubscribers: purpose === 'subscriptions',
    });
  }
  const single = {
    ...common,
    db: database,
    retryStrategy: retryDelayMs,
    reconnectOnError: isDemoted,
    ...(purpose !== 'jobs' && { socketTimeout: silenceMs }),
  };
  if (kind === 'sentinel') {
    return new Redis({
      ...single,
      sentinels: [...hosts],
      name: address.masterName,
      sentinelUsername: address.sentinelUsername,
      sentinelPassword: address.sentinelPassword,
      sentinelRetryStrategy: retryDelayMs,
      ...(tls ? { enableTLSForSentinelMode: true, sentinelTLS: tls } : {}),
    });
  }
  return new Redis({ ...single, ...hosts[0]! });
}

/** A command that may have been carried out is not sent again: its sender has to hear that this is not known. */
function optionsOf(purpose: RedisPurpose): CommonRedisOptions {
  if (purpose === 'commands') return { autoResendUnfulfilledCommands: false };
  // BullMQ's own scripts and blocking reads bear being sent again, and wait as long as they must.
  return purpose === 'subscriptions' ? { autoResubscribe: true } : {};
}

/** After a failover the old server may still answer, but takes no writes: connect anew and send the command again. */
function isDemoted(error: Error): 2 | false {
  return error.message.startsWith('READONLY') ? 2 : false;
}
