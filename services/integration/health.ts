import { type Request, type Response, Router } from 'express';
import type pg from 'pg';
import type { BlobStore } from '../ports/blob-store.ts';

const databaseDeadlineMs = 5_000;
/** An answer is given again for this long: a probe costs a write to disk, and callers may be many. */
const answerLifeMs = 1_000;

/**
 * `GET /healthcheck`: `true` when the database answers and the blob store takes a file, `false` otherwise and while the
 * server is about to stop; always status 200, since integrators read the body (integration API, 11.5).
 */
export function healthRouter(pool: pg.Pool, blobs: BlobStore, shuttingDown: () => boolean): Router {
  const router = Router();
  let probe: Promise<boolean> | null = null;
  const healthy = (): Promise<boolean> => {
    if (!probe) {
      probe = Promise.all([databaseAnswers(pool), storeWorks(blobs)]).then(
        (answers) => !answers.includes(false),
      );
      const forget = () => {
        probe = null;
      };
      probe.finally(() => setTimeout(forget, answerLifeMs).unref()).catch(() => undefined);
    }
    return probe;
  };
  router.get('/healthcheck', async (_request: Request, response: Response) => {
    response.type('text/plain').send(String(!shuttingDown() && (await healthy())));
  });
  return router;
}

async function databaseAnswers(pool: pg.Pool): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), databaseDeadlineMs);
  });
  const answer = pool.query('SELECT 1').then(
    () => true,
    () => false,
  );
  const healthy = await Promise.race([answer, late]);
  clearTimeout(timer);
  return healthy;
}

const probeContent = Buffer.from('Quire health check\n');

async function storeWorks(blobs: BlobStore): Promise<boolean> {
  try {
    const { hash } = await blobs.put(probeContent);
    return (await blobs.sizeOf(hash)) === probeContent.byteLength;
  } catch {
    return false;
  }
}
