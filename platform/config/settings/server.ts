import { addressList } from '../address-list.ts';
import { redisAddress } from '../redis-address.ts';
import { address, integer, optionalFlag, optionalText, path, text } from '../setting.ts';

/** Where this server is, for those who reach it, and where it keeps what is its own. */
export const serverSettings = {
  port: integer(
    'PORT',
    8000,
    { min: 0, max: 65_535 },
    'TCP port for HTTP and WebSocket; 0 takes a free one.',
  ),
  host: optionalText(
    'HOST',
    '`localhost` in a trial (neither `DATABASE_URL` nor `PUBLIC_URL`), else all addresses',
    { pattern: /^[0-9A-Za-z.:_-]+$/, form: 'an IP address or host name' },
    'Address to listen on: `localhost` for this machine alone, `0.0.0.0` for all of IPv4, `::` for all.',
  ),
  publicUrl: address(
    'PUBLIC_URL',
    'from each request',
    ['http', 'https'],
    'Address under which browsers and integrators reach this server; overrides what requests say. Needed wherever others reach it.',
  ),
  trustProxy: addressList(
    'TRUST_PROXY',
    'loopback,linklocal,uniquelocal',
    'Addresses of proxies whose X-Forwarded headers, or Forwarded, are believed: names, addresses and CIDR ranges, `all` or `none`.',
  ),
  dataDir: path('DATA_DIR', './data', 'Directory for secrets, files and the embedded database.'),
};

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
  nodeName: optionalText(
    'NODE_NAME',
    'the host name',
    {
      pattern: /^[0-9A-Za-z][0-9A-Za-z._-]{0,62}$/,
      form: 'up to 63 letters, digits, dots, hyphens and underscores',
    },
    'What operators call this server: in the administration, in the ids of nodes and in `quire_node_info`. Workers have their number behind it.',
  ),
  nodeLeaseMs: integer(
    'NODE_LEASE_MS',
    3_000,
    { min: 500, max: 120_000 },
    'A node that the others have not heard of for this long is taken for dead, milliseconds; a worker of a server that runs after ten times as long.',
  ),
};

/** What is for trials and tests. */
export const trialsSettings = {
  exampleEnabled: optionalFlag(
    'EXAMPLE_ENABLED',
    'true in a trial: with neither `DATABASE_URL` nor `PUBLIC_URL`',
    'Whether the example application is served at `/example/`. Whoever reaches it may use it: not for production. It needs tokens.',
  ),
  faultPoint: optionalText(
    'FAULT_POINT',
    'none',
    { pattern: /^[a-z:-]+$/, form: 'the name of a fault point' },
    'For tests of recovery: the process kills itself when it comes to this place. With `throw:` before it, an error is thrown there that nobody catches.',
  ),
};
