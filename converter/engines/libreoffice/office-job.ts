import type { EngineRun } from '../conversion-engine.ts';
import type { OfficeTask } from './office-task.ts';

/** A conversion that waits for a process. It holds no bytes: they are asked for when it begins. */
export interface OfficeJob<Result> extends EngineRun {
  /** Puts the files of the task into the directory of the job; asked again where the job is tried again. */
  prepare(directory: string): Promise<OfficeTask>;
  /** Takes from the directory what was written. @throws ConversionError */
  collect(directory: string): Promise<Result>;
}
