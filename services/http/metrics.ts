import type { Request, RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config.ts';
import type { HttpMetrics } from '../../platform/metrics/transport.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { tracedRequest } from '../../platform/tracing.ts';
import { onlyListed } from './caller.ts';
import { filesPath } from './file-links.ts';
import { Routes } from './routes.ts';

/**
 * `GET /metrics`; addresses outside the list get 403. Only this spelling is answered, so a proxy that refuses it refuses all.
 */
export function metricsRouter(
  metrics: Pick<Metrics, 'registry' | 'page'>,
  config: Pick<Config, 'metricsAllowFrom' | 'trustProxy'>,
): Router {
  const judges = { 'listed address': onlyListed(config.metricsAllowFrom, config, 'Forbidden') };
  const routes = new Routes({ judges, strict: true });
  routes.on('GET /metrics', async (_request, response) => {
    response.set('Content-Type', metrics.registry.contentType).send(await metrics.page());
  });
  return routes.router;
}

/** Paths at which routers are mounted. */
const mounts = ['/example', '/internal', filesPath];

/** Counts and traces every request, and logs it at level debug. Queries and headers are left out: they hold tokens. */
export function requestMetrics(metrics: HttpMetrics, log: Logger): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const { method, path } = request;
    const span = tracedRequest(`${method} request`, { 'http.request.method': method }, next);
    response.once('close', () => {
      const elapsedMs = performance.now() - startedAt;
      const route = routeOf(request);
      const { statusCode: status } = response;
      metrics.answered(method, route, status, elapsedMs);
      if (span) {
        span.updateName(`${method} ${route}`);
        span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
        span.end();
      }
      if (!log.isLevelEnabled('debug')) return;
      const documentKey = typeof request.params.key === 'string' ? request.params.key : undefined;
      const isWhole = response.writableFinished;
      log.debug(
        { method, path, route, status, documentKey, isWhole, elapsedMs: Math.round(elapsedMs) },
        'A request ended',
      );
    });
  };
}

/** The route as it is declared, for labels: they never contain what was asked for. */
function routeOf({ route, baseUrl }: Request): string {
  const declared = (route as { path?: unknown } | undefined)?.path;
  if (declared === undefined) return 'none';
  const asked = baseUrl.toLowerCase();
  const mount = mounts.find((one) => one === asked) ?? '';
  return `${mount}${String(declared)}`;
}
