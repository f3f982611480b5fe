import type { EngineRun } from '../conversion-engine.ts';

/** One conversion as it is sent to the bridge to LibreOffice. Paths are inside the job's directory. */
export interface OfficeTask {
  source: OfficeSource;
  /** Done to the loaded document in this order, before anything is written. */
  steps: readonly OfficeStep[];
  outputs: readonly OfficeOutput[];
}

/** A file that is loaded; without `filter` LibreOffice finds out itself what it is. */
export interface OfficeSource {
  file: string;
  filter?: string;
  filterOptions?: string;
  password?: string;
}

/** A file that is written of the loaded document. */
export interface OfficeOutput {
  file: string;
  filter: string;
  filterOptions?: string;
  filterData?: Readonly<Record<string, boolean | number | string>>;
  password?: string;
}

/** `kind` names a function of `bridge/steps.py`; its other members are that function's arguments. */
export type OfficeStep = { kind: string } & Readonly<Record<string, unknown>>;

/** A conversion that waits for a process. It holds no bytes: they are asked for when it begins. */
export interface OfficeJob<Result> extends EngineRun {
  /** Puts the files of the task into the directory of the job; asked again where the job is tried again. */
  prepare(directory: string): Promise<OfficeTask>;
  /** Takes from the directory what was written. @throws ConversionError */
  collect(directory: string): Promise<Result>;
}
