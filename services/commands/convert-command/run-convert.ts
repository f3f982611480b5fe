import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import { sourceLimits } from '../../../converter/source-checks/source-limits.ts';
import { type Environment, loadConfig } from '../../../platform/config.ts';
import { ConversionReport, type ReportOptions } from './conversion-report.ts';
import { checkTargets, convertAll } from './conversion-run.ts';
import { exitCodes } from './exit-codes.ts';
import type { FileOutcome } from './file-conversion.ts';
import { type OptionFlags, optionsOfFlags } from './option-flags.ts';
import { OwnEngines } from './own-engines.ts';
import { passwordOf } from './passwords.ts';
import { type FileFlags, requestedFiles } from './arguments.ts';
import { UsageError } from './usage-error.ts';

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
export interface Surroundings extends Pick<ReportOptions, 'output' | 'errors'> {
  environment: Environment;
  /** Aborted when the command is to end. */
  signal: AbortSignal;
}

/** Does what `quire convert` is called for. Returns the exit code. @throws UsageError, ConfigError */
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
