import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../../services/config.ts';
import { runBounded } from './bounded-process.ts';

/** An x2t on this machine. */
export interface X2tInstallation {
  directory: string;
  program: string;
  version: string;
}

/** There is an x2t, or should be one, that does not run. */
export class X2tUnusable extends Error {
  constructor(directory: string, why: string) {
    super(
      `The converter x2t in ${directory} cannot be used: ${why}. ` +
        'Install it anew with `quire install x2t --force`, or take the directory away.',
    );
    this.name = 'X2tUnusable';
  }
}

const startLimits = { timeoutMs: 30_000, memoryMb: 1_024, fileBytes: 1_048_576 };

/** Where `quire install x2t` puts it. */
export const ownDirectory = (dataDir: string): string => path.resolve(dataDir, 'x2t');

/**
 * The x2t that is to be used: that of `X2T_DIR`, else the one under `DATA_DIR`; null when there is none.
 * @throws X2tUnusable when `X2T_DIR` has none, or it does not run
 */
export async function findX2t({
  x2tDir,
  dataDir,
}: Pick<Config, 'x2tDir' | 'dataDir'>): Promise<X2tInstallation | null> {
  const directory = x2tDir === undefined ? ownDirectory(dataDir) : path.resolve(x2tDir);
  const isThere = await access(path.join(directory, 'x2t'), constants.F_OK).then(
    () => true,
    () => false,
  );
  if (isThere) return inspectX2t(directory);
  if (x2tDir !== undefined) throw new X2tUnusable(directory, 'there is no program `x2t` in it');
  return null;
}

/** Runs the program of a directory, which tells its version. @throws X2tUnusable */
export async function inspectX2t(directory: string): Promise<X2tInstallation> {
  const program = path.join(directory, 'x2t');
  const { exitCode, signal, how, output } = await runBounded(program, [], { directory, limits: startLimits });
  const version = /Version:\s*(\d+(?:\.\d+)+)/.exec(output)?.[1];
  if (!version) {
    const end = how === 'timeout' ? 'did not answer' : `ended with ${exitCode ?? signal}`;
    throw new X2tUnusable(directory, `it ${end} when it was asked for its version (${output.trim()})`);
  }
  return { directory, program, version };
}
