import { Router } from 'express';
import type { Config } from '../../platform/config.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { callerAddress } from './caller.ts';

/**
 * `GET /metrics`; addresses outside the list get 403. In this spelling alone: what a proxy refuses by its name is not to be had
 * by another one.
 */
export function metricsRouter(
  metrics: Pick<Metrics, 'registry' | 'page'>,
  config: Pick<Config, 'metricsAllowFrom' | 'trustProxy'>,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/metrics', async (request, response) => {
    if (!config.metricsAllowFrom.includes(callerAddress(request, config))) {
      response.status(403).type('text/plain').send('Forbidden');
      return;
    }
    response.set('Content-Type', metrics.registry.contentType).send(await metrics.page());
  });
  return router;
}
