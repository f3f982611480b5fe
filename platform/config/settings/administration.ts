import { flag, integer, secret, text } from '../setting.ts';

/** The administration for operators. */
export const administrationSettings = {
  adminEnabled: flag(
    'ADMIN_ENABLED',
    true,
    'Whether there is administration: its page and REST API at `/admin/` of a port of their own.',
  ),
  adminPort: integer(
    'ADMIN_PORT',
    8001,
    { min: 0, max: 65_535 },
    'TCP port of the administration; 0 takes a free one. Where it is taken the server goes on without.',
  ),
  adminHost: text(
    'ADMIN_HOST',
    '127.0.0.1',
    { pattern: /^[0-9A-Za-z.:_-]+$/, form: 'an IP address or host name' },
    "Address that the administration listens on; another one than this machine's own wants TLS in front.",
  ),
  adminPassword: secret(
    'ADMIN_PASSWORD',
    'a token in `DATA_DIR/admin-token`, generated at first start',
    'Password of operators.',
  ),
  adminToken: secret(
    'ADMIN_TOKEN',
    'none',
    'Token with which programs administrate (`Authorization: Bearer …`); it opens the page as well.',
  ),
  adminReadToken: secret(
    'ADMIN_READ_TOKEN',
    'none',
    'Token with which operators and programs may look at everything and change nothing.',
  ),
  drainSpreadMs: integer(
    'DRAIN_SPREAD_MS',
    10_000,
    { min: 0, max: 3_600_000 },
    'Over how long the connections of a node that is drained are spread that go to other nodes, milliseconds.',
  ),
};
