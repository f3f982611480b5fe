import type { JobOwner } from '../db/fair-queue.ts';
import type { SourceOpening } from '../db/opened-sources.ts';
import type { TraceCarrier } from '../platform/tracing.ts';

/**
 * A piece of work for a converter process. A key may be used again for another document, whose counts begin like those of
 * the first; `openedAtMs` distinguishes the two (milliseconds since 1970; absent in jobs of earlier servers).
 */
export type ConversionJob =
  | { name: 'open'; data: SourceOpening & { fileType: string; sealed: string | null } }
  | { name: 'convert'; data: { id: string; attempt: number; isOpening?: boolean } }
  | { name: 'assemble'; data: { key: string; epoch: number; openedAtMs?: number } }
  | { name: 'force-save'; data: { key: string; saveId: string } }
  | {
      name: 'export';
      data: {
        key: string;
        logVersion: number;
        endIndex: number;
        form?: 'own' | 'base';
        openedAtMs?: number;
      };
    }
  | { name: 'pick'; data: { key: string; model: string; modelHash: string; wishHash: string } }
  | { name: 'checkpoint'; data: { key: string } };

export type JobKind = ConversionJob['name'];

export const jobKinds: readonly JobKind[] = [
  'open',
  'convert',
  'assemble',
  'force-save',
  'export',
  'pick',
  'checkpoint',
];

/** What a job bears beside its data: who it is for, and the trace of who asked for it. */
export interface JobLabel {
  tenant: string;
  /** Absent in jobs of earlier servers. */
  person?: string;
  trace: TraceCarrier | undefined;
}

/**
 * Lanes of jobs, each with places of its own. Saving waits for nothing else; somebody waits for what is `interactive`; `batch`
 * jobs, for which nobody waits, do not hold that up.
 */
export const jobLanes = ['saving', 'interactive', 'batch'] as const;

export type JobLane = (typeof jobLanes)[number];

/** What the lanes are called in the store of jobs. */
export const queueNames = {
  saving: 'saves',
  interactive: 'conversions',
  batch: 'batch-conversions',
} as const satisfies Record<JobLane, string>;

export const ofLanes = <Value>(make: (lane: JobLane) => Value): Readonly<Record<JobLane, Value>> => ({
  saving: make('saving'),
  interactive: make('interactive'),
  batch: make('batch'),
});

/** Who wants a job done, and whether somebody waits for it. */
export interface JobAsker {
  lane: JobLane;
  owner: JobOwner;
}

/** The lane of jobs that are not asked for by anybody in particular. */
export function laneOf({ name }: ConversionJob): JobLane {
  if (name === 'assemble' || name === 'force-save') return 'saving';
  return name === 'checkpoint' ? 'batch' : 'interactive';
}

/**
 * The tenant behind an address: its host and port. Applications that share a server and its secret differ by where their
 * files are.
 */
export function tenantOf(address: string): { tenant: string } {
  return { tenant: URL.canParse(address) ? new URL(address).host : '' };
}
