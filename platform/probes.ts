import type pg from 'pg';
import type { BlobStore } from './ports/blob-store.ts';
import { within } from './within.ts';

/** Longest a check may take that orchestrators wait for. */
const deadlineMs = 5_000;

/** Whether the database answers, in time. */
export function databaseAnswers(pool: pg.Pool): Promise<boolean> {
  return inTime(async () => (await askDatabase(pool)) === null);
}

/** Why the database does not work; null when it does. @throws Error when it cannot be asked */
export async function askDatabase(pool: Pick<pg.Pool, 'query'>): Promise<string | null> {
  await pool.query('SELECT 1');
  return null;
}

/** What is stored to see whether the store takes files. */
export const probeContent = Buffer.from('Quire health check\n');

/** Whether the store takes a file and has it then. @throws Error when it does not */
export async function askStore(blobs: BlobStore): Promise<string | null> {
  const { hash } = await blobs.put(probeContent);
  const isStored = (await blobs.sizeOf(hash)) === probeContent.byteLength;
  return isStored ? null : 'a file that was stored is not there';
}

/** False also for a check that fails, or is not done in time. */
async function inTime(check: () => Promise<boolean>): Promise<boolean> {
  const answer = check().catch(() => false);
  return (await within(deadlineMs, answer)) === true;
}
