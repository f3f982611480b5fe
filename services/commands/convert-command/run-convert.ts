import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sourceLimits } from '../../../converter/source-checks/source-limits.ts';
import { type Environment, loadConfig } from '../../../platform/config.ts';
import {
  type FileFlags,
  type OptionFlags,
  optionsOfFlags,
  passwordOf,
  type RequestedFile,
  requestedFiles,
} from './arguments.ts';
import { ConversionReport, type ReportOptions } from './conversion-report.ts';
import { exitCodes, UsageError } from './exit-codes.ts';
import { type ConversionManner, convertOne, type FileOutcome } from './file-conversion.ts';
import { OwnEngines } from './own-engines.ts';

export interface ConvertFlags extends FileFlags, OptionFlags {
  askPassword?: boolean;
  passwordFile?: string;
  passwordEnv?: string;
  savePasswordFile?: string;
  savePasswordEnv?: string;
  force?: boolean;
  json?: boolean;
  jobs?: number;
}

/** What a command has beside its arguments: its environment and its output. */
interface Surroundings extends Pick<ReportOptions, 'output' | 'errors'> {
  environment: Environment;
  /** Aborted when the command is to end. */
  signal: AbortSignal;
}

/** Runs `quire convert`. Resolves with the exit code. @throws UsageError, ConfigError */
export async function runConvert(
  names: readonly string[],
  flags: ConvertFlags,
  { environment, signal, ...streams }: Surroundings,
): Promise<number> {
  const files = requestedFiles(names, flags);
  checkTargets(files);
  const options = optionsOfFlags(flags);
  const config = loadConfig(environment);
  const { askPassword, passwordFile, passwordEnv, savePasswordFile, savePasswordEnv } = flags;
  const own = { ask: askPassword, file: passwordFile, variable: passwordEnv };
  const password = await passwordOf(own, 'of the sources', environment);
  const saved = { file: savePasswordFile, variable: savePasswordEnv };
  const savePassword = await passwordOf(saved, 'of the results', environment);
  if (flags.outDir !== undefined) await makeDirectory(flags.outDir);
  const engines = await OwnEngines.find(config).catch((error: unknown) => {
    streams.errors.write(`${(error as Error).message}\n`);
    return null;
  });
  if (!engines) return exitCodes.engineMissing;
  const { json = false, force = false, jobs = os.availableParallelism() } = flags;
  const report = new ConversionReport({ json, count: files.length, ...streams });
  const manner = {
    ...{ engines, savePassword, replace: force, limits: sourceLimits(config), signal },
    options: password === undefined ? options : { ...options, password },
    maxSourceBytes: config.maxDownloadSizeBytes,
  };
  try {
    return exitCodeOf(await convertAll(files, manner, { atATime: jobs, listener: report }));
  } catch (error) {
    if (signal.aborted) return exitCodes.interrupted;
    throw error;
  } finally {
    report.close();
    await engines.close();
  }
}

async function makeDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true }).catch((error: Error) => {
    throw new UsageError(`The directory ${directory} cannot be made: ${error.message}`);
  });
}

function exitCodeOf(outcomes: readonly FileOutcome[]): number {
  const failed = outcomes.filter((outcome) => !outcome.ok);
  if (failed.length === 0) return exitCodes.made;
  return failed.some(({ engineMissing }) => engineMissing) ? exitCodes.engineMissing : exitCodes.someFailed;
}

/** Follows files while they are made. */
export interface RunListener {
  progress(source: string, share: number): void;
  ended(outcome: FileOutcome): void;
}

/** Makes files in the order of their names, `atATime` at the same time. @throws the signal's reason */
async function convertAll(
  files: readonly RequestedFile[],
  manner: ConversionManner,
  { atATime, listener }: { atATime: number; listener: RunListener },
): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  const waiting = files.values();
  const work = async (): Promise<void> => {
    for (const file of waiting) {
      listener.progress(file.source, 0);
      const outcome = await convertOne(file, manner, (share) => listener.progress(file.source, share));
      outcomes.push(outcome);
      listener.ended(outcome);
    }
  };
  const workers = Array.from({ length: Math.min(atATime, files.length) }, work);
  const ended = await Promise.allSettled(workers);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return outcomes;
}

/** Refuses results with the same name, or the name of their source. @throws UsageError */
function checkTargets(files: readonly RequestedFile[]): void {
  const targets = new Map<string, string>();
  for (const { source, target, outputType } of files) {
    const name = path.resolve(target(outputType));
    const other = targets.get(name);
    if (other !== undefined) throw new UsageError(`${other} and ${source} would both become ${name}.`);
    if (name === path.resolve(source)) throw new UsageError(`${source} would be written over itself.`);
    targets.set(name, source);
  }
}
