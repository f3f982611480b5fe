import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { HttpMetrics } from '../../platform/metrics/transport.ts';
import { tracedRequest } from '../../platform/tracing.ts';
import { filesPath } from './file-links.ts';

/** Where routers are mounted: the other part of a route is as it is declared. */
const mounts = ['/example', '/internal', filesPath];

/** Counts, traces and, at debug, logs every request. Neither queries nor headers are told: they hold tokens. */
export function requestFigures(metrics: HttpMetrics, log: Logger): RequestHandler {
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

/** The route as it is declared: what was asked for is in no label. */
function routeOf({ route, baseUrl }: Request): string {
  const declared = (route as { path?: unknown } | undefined)?.path;
  if (declared === undefined) return 'none';
  const asked = baseUrl.toLowerCase();
  const mount = mounts.find((one) => one === asked) ?? '';
  return `${mount}${String(declared)}`;
}
