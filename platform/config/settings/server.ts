import { addressList } from '../address-list.ts';
import { address, integer, optionalText, path } from '../setting.ts';

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
    'Addresses of proxies whose X-Forwarded headers are believed: names, addresses and CIDR ranges, `all` or `none`.',
  ),
  dataDir: path('DATA_DIR', './data', 'Directory for secrets, files and the embedded database.'),
};
