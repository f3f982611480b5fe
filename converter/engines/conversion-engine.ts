import { traced } from '../../platform/tracing.ts';
import type { Conversion, SourceMedia } from '../formats/conversion.ts';

/** What an engine can do, known without running it: servers decide by it, workers do it. */
export interface EngineAbility {
  readonly name: string;
  /** Results of another version are not taken from the cache. */
  readonly version: string;
  /** Source types it reads, and for each the types it writes. */
  readonly pairs: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of options of a conversion between such a pair that it cannot honour. */
  unable(conversion: Conversion): readonly string[];
}

/** Lines for the runs of an engine, the first ones first. */
export const engineLanes = ['saving', 'interactive', 'batch'] as const;

export type EngineLane = (typeof engineLanes)[number];

/** For whom a conversion is made, and who hears of it. */
export interface EngineRun {
  /** Saves have a place of their own. Somebody waits for what is `interactive`: it goes before a batch. */
  readonly lane: EngineLane;
  /** Hears which share of the work is done, 0 to 1, where an engine reports it. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** Longest it may work, milliseconds: as long as any may unless given. */
  readonly timeoutMs?: number | undefined;
  /** Ends the work. */
  readonly signal?: AbortSignal | undefined;
}

/** Makes files of one format from files of another. */
export interface ConversionEngine {
  readonly ability: EngineAbility;
  /** @throws ConversionError, EngineEnded */
  convert(
    source: Uint8Array,
    conversion: Conversion,
    media: SourceMedia,
    run?: EngineRun,
  ): Promise<Uint8Array>;
}

/** Hears of each run of an engine, and whether it gave a result. */
export type EngineListener = (task: string, isDone: boolean, elapsedMs: number) => void;

/** Runs `work` and reports how it went. */
export async function observed<Result>(
  listener: EngineListener,
  task: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  let isDone = false;
  try {
    const result = await traced(`engine ${task}`, {}, work);
    isDone = true;
    return result;
  } finally {
    listener(task, isDone, performance.now() - startedAt);
  }
}
