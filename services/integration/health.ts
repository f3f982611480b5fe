import type { Router } from 'express';
import { canWork, type PartHealth } from '../../platform/part-health.ts';
import { Routes } from '../http/routes.ts';

interface HealthNeeds {
  health: Pick<PartHealth, 'look'>;
  shuttingDown: () => boolean;
}

/**
 * - `GET /healthcheck`: `true` when the database answers, the blob store takes a file and Redis, where there is one, answers;
 *   `false` otherwise and while the server is about to stop; always status 200, since integrators read the body
 *   (integration API, 11.5).
 * - `GET /healthcheck/ready`: the same for load balancers, with status 200 or 503 and the parts that do not work.
 * - `GET /healthcheck/live`: status 200 as long as the process answers at all. A restart would help in no other case.
 */
export function healthRouter({ health, shuttingDown }: HealthNeeds): Router {
  const routes = new Routes();
  routes.on('GET /healthcheck', async (_request, response) => {
    const isReady = canWork(await health.look()) && !shuttingDown();
    response.type('text/plain').send(String(isReady));
  });
  routes.on('GET /healthcheck/ready', async (_request, response) => {
    const needed = (await health.look()).filter(({ isNeeded }) => isNeeded);
    const ready = canWork(needed) && !shuttingDown();
    const parts = Object.fromEntries(needed.map(({ part, isUp }) => [part, isUp === true]));
    response.status(ready ? 200 : 503).json({ ready, stopping: shuttingDown(), parts });
  });
  routes.on('GET /healthcheck/live', (_request, response) => {
    response.json({ live: true });
  });
  return routes.router;
}
