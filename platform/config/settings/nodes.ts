import { redisAddress } from '../redis-address.ts';
import { integer, text } from '../setting.ts';

/** What nodes share. */
export const nodesSettings = {
  redisUrl: redisAddress(
    'REDIS_URL',
    'process memory (one node)',
    'Redis or Valkey that nodes coordinate through: `redis://[user:password@]host:port[/database]`; several hosts with commas between them, or `redis+cluster://`, for a cluster; `redis+sentinel://host:port,…/master` for one that sentinels know. With `rediss` in place of `redis` over TLS.',
  ),
  redisPrefix: text(
    'REDIS_PREFIX',
    'quire',
    { pattern: /^[0-9A-Za-z._-]{1,64}$/, form: 'up to 64 letters, digits, dots, hyphens and underscores' },
    'Beginning of all names in Redis; another one for each installation that shares a Redis.',
  ),
  nodeLeaseMs: integer(
    'NODE_LEASE_MS',
    3_000,
    { min: 500, max: 120_000 },
    'A node that the others have not heard of for this long is taken for dead, milliseconds.',
  ),
};
