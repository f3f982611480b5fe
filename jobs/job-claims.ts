import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Job, type Queue, type Worker } from 'bullmq';
import { late, within } from '../platform/within.ts';
import type { JobWorker } from './job-worker.ts';

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
  readonly #held = new Map<string, { claim: JobClaim; lane: Worker }>();

  constructor(lanes: readonly Worker[]) {
    for (const lane of lanes) {
      lane.on('active', ({ id, token }) => {
        if (id === undefined || token === undefined) return;
        const claimed = { jobId: id, token };
        this.#held.set(id, { claim: claimed, lane });
        report({ claimed });
      });
      // Not with the end of the processor: until the queue has it, the job is this worker's.
      lane.on('completed', ({ id }) => this.#settled(id));
      lane.on('failed', (job) => this.#settled(job?.id));
    }
  }

  get held(): JobClaim[] {
    return [...this.#held.values()].map(({ claim }) => claim);
  }

  /** Gives the jobs under way to others: this process ends in the middle of them. Resolves with how many there were. */
  async giveAway(): Promise<number> {
    const held = [...this.#held.values()];
    await Promise.all(held.map(({ claim, lane }) => releaseJobs(lane, [claim])));
    return held.length;
  }

  #settled(jobId = ''): void {
    const settled = this.#held.get(jobId);
    if (!settled) return;
    this.#held.delete(jobId);
    report({ settled: settled.claim });
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

/**
 * Ends a worker: takes no more jobs and waits for those under way, at most so long. Those that have not ended by then are
 * given to other workers at once, which would otherwise wait for the claims to lapse; the process has to end then. Returns
 * how many that were.
 */
export async function finishJobs(worker: JobWorker, claims: JobClaims, withinMs: number): Promise<number> {
  return (await within(withinMs, worker.close())) === late ? claims.giveAway() : 0;
}
