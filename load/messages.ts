import type { MeterReadings } from './meters.ts';
import type { Comparisons } from './rooms.ts';
import type { Scenario } from './scenario.ts';
import type { Rush } from './visitors.ts';
import type { TransportName } from './wire/frames.ts';

/** All that a generator has to know. */
export interface Setup {
  scenario: Scenario;
  scale: number;
  durationS?: number | undefined;
  middleS?: number | undefined;
  rampLimitPerS?: number | undefined;
  seed: number;
  url: string;
  secret: string | null;
  /** What callbacks are signed with, where that is another secret. */
  callbackSecret?: string | undefined;
  transport: TransportName;
  changesPerSave: number;
  publicHost: string;
  /** Begins every document's key. */
  run: string;
  /** Which of how many generators, from 0. */
  process: number;
  processes: number;
}

/** Something that a person would have noticed. */
export interface Problem {
  kind: string;
  detail: string;
}

/** What the run tells a generator. */
export type Order =
  | { type: 'setup'; setup: Setup }
  /** Begin a phase, at a time of the shared clock, with so many people in. */
  | { type: 'phase'; phase: number; startAtMs: number; from: number; rush?: Rush | undefined }
  /** Answer with what was measured since the last time. */
  | { type: 'report' }
  /** Everybody leaves; wait for the files that long. */
  | { type: 'finish'; withinMs: number }
  /** Do not wait for files any longer. */
  | { type: 'hurry' };

/** What a generator tells the run. */
export type Report =
  | { type: 'ready' }
  | {
      type: 'readings';
      readings: MeterReadings;
      problems: Problem[];
      cpuS: number;
      memoryBytes: number;
    }
  | { type: 'finished'; compared: Comparisons }
  | { type: 'broken'; message: string };
