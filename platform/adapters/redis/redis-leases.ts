import type { LeaseStore } from '../renewed-leases.ts';
import { type RedisConnection, RedisScript } from './redis-connection.ts';

/**
 * KEYS: the nodes by when their lease ends, in the server's time. ARGV: the own id; the length of a lease, milliseconds.
 * Answers whether the own lease ran until now, and the ids of all whose lease runs.
 */
const renewScript = new RedisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ended = redis.call('ZSCORE', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], ARGV[2] * 10)
return { (ended and tonumber(ended) > now) and 1 or 0, redis.call('ZRANGE', KEYS[1], 0, -1) }
`);

/** Leases on Redis: one sorted set. */
export class RedisLeases implements LeaseStore {
  readonly #redis: RedisConnection;
  readonly #key: string;

  constructor(redis: RedisConnection, prefix: string) {
    this.#redis = redis;
    this.#key = `${prefix}:{nodes}`;
  }

  /** @throws RedisUnavailable */
  async renew(nodeId: string, leaseMs: number): Promise<{ ran: boolean; living: readonly string[] }> {
    const [ran, living] = (await renewScript.run(this.#redis, this.#key, [nodeId, leaseMs])) as [
      number,
      string[],
    ];
    return { ran: ran === 1, living };
  }
}
