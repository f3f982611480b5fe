import type { SourceOpening } from '../db/opened-sources.ts';
import type { TraceCarrier } from '../platform/tracing.ts';

/**
 * A piece of work for a converter process. A key may be used anew for another document; `openedAtMs` tells the two apart, whose
 * counts begin alike (milliseconds since 1970; absent in jobs of servers before this one).
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
  | { name: 'checkpoint'; data: { key: string } };

export type JobKind = ConversionJob['name'];

export const jobKinds: readonly JobKind[] = [
  'open',
  'convert',
  'assemble',
  'force-save',
  'export',
  'checkpoint',
];

/** What a job bears beside its data: who it is for, and the trace of who asked for it. */
export interface JobLabel {
  tenant: string;
  trace: TraceCarrier | undefined;
}
