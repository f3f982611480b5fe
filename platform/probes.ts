import type pg from 'pg';
import type { BlobStore } from './ports/blob-store.ts';

/** Longest a check may take that orchestrators wait for. */
const deadlineMs = 5_000;

/** Whether the database answers, in time. */
export function databaseAnswers(pool: pg.Pool): Promise<boolean> {
  return inTime(async () => {
    await pool.query('SELECT 1');
    return true;
  });
}

const probeContent = Buffer.from('Quire health check\n');

/** Whether the store takes a file and has it then, in time. */
export function storeWorks(blobs: BlobStore): Promise<boolean> {
  return inTime(async () => {
    const { hash } = await blobs.put(probeContent);
    return (await blobs.sizeOf(hash)) === probeContent.byteLength;
  });
}

/** False also for a check that fails, or is not done in time. */
async function inTime(check: () => Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), deadlineMs);
  });
  const answer = check().catch(() => false);
  const healthy = await Promise.race([answer, late]);
  clearTimeout(timer);
  return healthy;
}
