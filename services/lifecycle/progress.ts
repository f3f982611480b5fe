import type { ProgressRow } from '../../db/conversions.ts';
import type { ConversionQueue } from '../../jobs/jobs.ts';

/** How far a conversion is. */
export interface Progress {
  /** What is done, 0 to 99. */
  percent: number;
  stage: 'fetching' | 'waiting' | 'loading' | 'converting' | 'storing';
  /** How many others are before one that waits, where that is known. */
  ahead?: number;
}

/** The source is on its way: nothing is known of a conversion yet. */
export const fetching: Progress = { percent: 0, stage: 'fetching' };

/** How far a conversion is, by its record and its place in the queue. */
export async function progressIn(
  { id, attempt, stage, share }: ProgressRow,
  queue: Pick<ConversionQueue, 'placeOf'>,
): Promise<Progress> {
  const percent = Math.min(99, Math.floor(100 * share));
  if (stage !== null) return { percent, stage: stage as Progress['stage'] };
  const ahead = await queue.placeOf({ name: 'convert', data: { id, attempt } });
  return { percent, stage: 'waiting', ...(ahead === null ? {} : { ahead }) };
}
