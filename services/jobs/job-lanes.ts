import type { TurnOwner } from '../../db/job-turns.ts';
import type { ConversionJob } from './jobs.ts';

/** Lines of jobs. Somebody waits for what is in the first one; what nobody sits and waits for does not hold it up. */
export const jobLanes = ['interactive', 'batch'] as const;

export type JobLane = (typeof jobLanes)[number];

/** What the lanes are called in the store of jobs. */
export const queueNames = {
  interactive: 'conversions',
  batch: 'batch-conversions',
} as const satisfies Record<JobLane, string>;

/** Who wants a job done, and whether somebody waits for it. */
export interface JobAsker {
  lane: JobLane;
  owner: TurnOwner;
}

/** The lane of jobs that are not asked for by anybody in particular. */
export const laneOf = ({ name }: ConversionJob): JobLane => (name === 'checkpoint' ? 'batch' : 'interactive');

/**
 * The tenant behind an address: its host and port. Applications that share a server and its secret differ by where their
 * files are.
 */
export function tenantOf(address: string): TurnOwner {
  return { tenant: URL.canParse(address) ? new URL(address).host : '' };
}
