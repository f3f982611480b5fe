import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Job, type Queue, type Worker } from 'bullmq';

/** A job that a worker works on, and the token by which the queue knows that it is this one. */
export interface JobClaim {
  jobId: string;
  token: string;
}

type Message = { claimed: JobClaim } | { settled: JobClaim };

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && ('claimed' in message || 'settled' in message);

/** The jobs that a worker works on, reported to the server that started its process: it may have to put them back. */
export class JobClaims {
  readonly #held = new Map<string, JobClaim>();

  constructor(workers: readonly Worker[]) {
    for (const worker of workers) {
      worker.on('active', ({ id, token }) => {
        if (id === undefined || token === undefined) return;
        const claimed = { jobId: id, token };
        this.#held.set(id, claimed);
        report({ claimed });
      });
      // Not with the end of the processor: until the queue has it, the job is this worker's.
      worker.on('completed', ({ id }) => this.#settled(id));
      worker.on('failed', (job) => this.#settled(job?.id));
    }
  }

  get held(): JobClaim[] {
    return [...this.#held.values()];
  }

  #settled(jobId = ''): void {
    const settled = this.#held.get(jobId);
    if (!settled) return;
    this.#held.delete(jobId);
    report({ settled });
  }
}

function report(message: Message): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/**
 * What a process has claimed and not settled, by what it reported. Resolves when all its reports have arrived; to be
 * called when it has ended.
 */
export function followClaims(child: ChildProcess): () => Promise<JobClaim[]> {
  const held = new Map<string, JobClaim>();
  child.on('message', (message) => {
    if (!isMessage(message)) return;
    if ('claimed' in message) held.set(message.claimed.jobId, message.claimed);
    else if (held.get(message.settled.jobId)?.token === message.settled.token)
      held.delete(message.settled.jobId);
  });
  return async () => {
    if (child.connected) await once(child, 'disconnect');
    return [...held.values()];
  };
}

/** Puts jobs back into the line. One that has ended, or that another worker has by now, is left alone: the token shows it. */
export async function releaseJobs(queue: Queue | Worker, claims: readonly JobClaim[]): Promise<void> {
  const moves = claims.map(async ({ jobId, token }) => (await Job.fromId(queue, jobId))?.moveToWait(token));
  await Promise.allSettled(moves);
}
