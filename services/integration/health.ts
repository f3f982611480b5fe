import { type Request, type Response, Router } from 'express';
import type pg from 'pg';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import { databaseAnswers, storeWorks } from '../../platform/probes.ts';

/** An answer is given again for this long: a probe costs a write to disk, and callers may be many. */
const answerLifeMs = 1_000;

/** Whether a part that a node needs works, by the part's name. */
export type Parts = Readonly<Record<string, boolean>>;

export interface HealthNeeds {
  pool: pg.Pool;
  blobs: BlobStore;
  /** Null on a server that is the only one. */
  redis: { answers(): Promise<boolean> } | null;
  shuttingDown: () => boolean;
}

/**
 * - `GET /healthcheck`: `true` when the database answers, the blob store takes a file and Redis, where there is one, answers;
 *   `false` otherwise and while the server is about to stop; always status 200, since integrators read the body
 *   (integration API, 11.5).
 * - `GET /healthcheck/ready`: the same for load balancers, with status 200 or 503 and the parts that do not work.
 * - `GET /healthcheck/live`: status 200 as long as the process answers at all. A restart would help in no other case.
 */
export function healthRouter({ pool, blobs, redis, shuttingDown }: HealthNeeds): Router {
  const router = Router();
  let probe: Promise<Parts> | null = null;
  const partsNow = (): Promise<Parts> => {
    if (!probe) {
      probe = askParts({ pool, blobs, redis });
      const forget = () => {
        probe = null;
      };
      probe.finally(() => setTimeout(forget, answerLifeMs).unref()).catch(() => undefined);
    }
    return probe;
  };
  const isReady = (parts: Parts) => !shuttingDown() && !Object.values(parts).includes(false);
  router.get('/healthcheck', async (_request: Request, response: Response) => {
    response.type('text/plain').send(String(isReady(await partsNow())));
  });
  router.get('/healthcheck/ready', async (_request: Request, response: Response) => {
    const parts = await partsNow();
    const ready = isReady(parts);
    response.status(ready ? 200 : 503).json({ ready, stopping: shuttingDown(), parts });
  });
  router.get('/healthcheck/live', (_request: Request, response: Response) => {
    response.json({ live: true });
  });
  return router;
}

async function askParts({ pool, blobs, redis }: Omit<HealthNeeds, 'shuttingDown'>): Promise<Parts> {
  const [database, files, redisAnswers] = await Promise.all([
    databaseAnswers(pool),
    storeWorks(blobs),
    redis?.answers() ?? null,
  ]);
  return { database, files, ...(redisAnswers !== null && { redis: redisAnswers }) };
}
