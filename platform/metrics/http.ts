import { Histogram, type Registry } from 'prom-client';
import { recordMs, timeBuckets } from './units.ts';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Requests that are no connections of editors. */
export class HttpMetrics {
  readonly #duration: Histogram<'method' | 'route' | 'status'>;

  constructor(registry: Registry) {
    this.#duration = new Histogram({
      name: 'quire_http_request_seconds',
      help: 'HTTP requests by method, route as it is declared (`none`: no route, or a file of the pages) and status.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: timeBuckets,
      registers: [registry],
    });
  }

  /** `route` must be one of those that are declared: never what was asked for. */
  answered(method: string, route: string, status: number, elapsedMs: number): void {
    const known = methods.has(method) ? method : 'other';
    recordMs(this.#duration, elapsedMs, { method: known, route, status: String(status) });
  }
}
