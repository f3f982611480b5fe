import { addressList } from '../address-list.ts';
import { address, choice, flag, integer } from '../setting.ts';

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
