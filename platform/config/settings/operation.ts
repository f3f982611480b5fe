import { addressList } from '../address-list.ts';
import { address, choice, flag, integer, secret, text } from '../setting.ts';

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

/** What operators see from outside: metrics, traces, log. */
export const observationSettings = {
  metricsEnabled: flag('METRICS_ENABLED', true, 'Whether Prometheus metrics are served at `/metrics`.'),
  metricsAllowFrom: addressList(
    'METRICS_ALLOW_FROM',
    'loopback,linklocal,uniquelocal',
    'Addresses that may read `/metrics`, in the form of `TRUST_PROXY`.',
  ),
  otlpEndpoint: address(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'none: no traces',
    ['http', 'https'],
    'Address of an OpenTelemetry collector (OTLP over HTTP) that traces are sent to. The other standard `OTEL_…` variables count too.',
  ),
  otlpTracesEndpoint: address(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    '`v1/traces` at `OTEL_EXPORTER_OTLP_ENDPOINT`',
    ['http', 'https'],
    'Whole address for traces, where it is another one.',
  ),
  traceSavesEvery: integer(
    'TRACE_SAVES_EVERY',
    100,
    { min: 1, max: 1_000_000 },
    'One save in so many is traced, where traces are on.',
  ),
  logLevel: choice(
    'LOG_LEVEL',
    'info',
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'Least severity that is logged.',
  ),
  logFormat: choice(
    'LOG_FORMAT',
    'auto',
    ['auto', 'pretty', 'json'],
    'Form of the log; `auto` is pretty in a terminal and JSON otherwise.',
  ),
};
