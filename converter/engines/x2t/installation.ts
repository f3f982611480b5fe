import { constants } from 'node:fs';
import { access, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Config } from '../../../platform/config.ts';
import { QuireError } from '../../../platform/quire-error.ts';
import { type Ended, runBounded } from '../../confinement/bounded-process.ts';
import type { Command, Visible } from '../../confinement/command.ts';
import {
  type Confinement,
  confined,
  holdsFiles,
  strongestConfinement,
  unconfined,
} from '../../confinement/confinement.ts';

/** An x2t on this machine. */
export interface X2tInstallation {
  directory: string;
  program: string;
  version: string;
  /** How far it is held when it runs. */
  confinement: Confinement;
}

/** There is an x2t, or should be one, that does not run. */
export class X2tUnusable extends QuireError {
  constructor(directory: string, why: string) {
    super(
      'x2t-unusable',
      `The converter x2t in ${directory} cannot be used: ${why}. ` +
        'Install it anew with `quire install x2t --force`, or take the directory away.',
    );
  }
}

const startLimits = { timeoutMs: 30_000, memoryMb: 1_024, fileBytes: 1_048_576 };

/** Where `quire install x2t` puts it. */
export const ownDirectory = (dataDir: string): string => path.join(dataDir, 'x2t');

/**
 * The x2t that is to be used: that of `X2T_DIR`, else the one under `DATA_DIR`; null when there is none.
 * @throws X2tUnusable when `X2T_DIR` has none, it does not run, or it cannot be confined and must be
 */
export async function findX2t({
  x2tDir,
  dataDir,
  x2tUnconfined,
  converterUnconfined,
}: Pick<
  Config,
  'x2tDir' | 'dataDir' | 'x2tUnconfined' | 'converterUnconfined'
>): Promise<X2tInstallation | null> {
  const directory = x2tDir ?? ownDirectory(dataDir);
  const isThere = await access(path.join(directory, 'x2t'), constants.F_OK).then(
    () => true,
    () => false,
  );
  if (isThere) return usable(await inspectX2t(directory), x2tUnconfined || converterUnconfined);
  if (x2tDir !== undefined) throw new X2tUnusable(directory, 'there is no program `x2t` in it');
  return null;
}

/** Runs the program of a directory, which prints its version. @throws X2tUnusable */
export async function inspectX2t(directory: string): Promise<X2tInstallation> {
  const program = path.join(directory, 'x2t');
  const ended = await runBounded([program], { directory, limits: startLimits });
  const version = versionIn(ended);
  if (!version) throw new X2tUnusable(directory, `${endOf(ended)} when it was asked for its version`);
  return { directory, program, version, confinement: unconfined };
}

/** The same installation, confined as far as the system allows it. */
export async function confinedWherePossible(installation: X2tInstallation): Promise<X2tInstallation> {
  const confinement = await strongestConfinement();
  const isAble = versionIn(await tryConfined({ ...installation, confinement })) !== undefined;
  return { ...installation, confinement: isAble ? confinement : unconfined };
}

/** The command that runs x2t with these arguments, confined as it is to be. */
export function commandOf(
  { program, confinement }: X2tInstallation,
  argumentsOf: readonly string[],
  visible: Visible,
): Command {
  return confined([program, ...argumentsOf], visible, confinement);
}

async function usable(installation: X2tInstallation, mayBeUnconfined: boolean): Promise<X2tInstallation> {
  const strongest = { ...installation, confinement: await strongestConfinement() };
  const ended = await tryConfined(strongest);
  const isAble = versionIn(ended) !== undefined;
  const used = isAble ? strongest : installation;
  if (!holdsFiles(used.confinement) && !mayBeUnconfined) {
    const why =
      `it cannot be confined to the files of its job here${isAble ? '' : `, and ${endOf(ended)}`}. ` +
      'Let this process make namespaces (containers often forbid it), ' +
      'or install python3 where the kernel has Landlock, ' +
      'or set CONVERTER_UNCONFINED=true if all documents can be trusted';
    throw new X2tUnusable(installation.directory, why);
  }
  return used;
}

/** Asks for the version in the way in which jobs are run. */
async function tryConfined(installation: X2tInstallation): Promise<Ended> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-x2t-'));
  try {
    const visible = { readable: [installation.directory], directory };
    return await runBounded(commandOf(installation, [], visible), { directory, limits: startLimits });
  } catch (error) {
    return { how: 'exited', exitCode: null, signal: null, output: (error as Error).message };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const versionIn = ({ output }: Ended): string | undefined => /Version:\s*(\d+(?:\.\d+)+)/.exec(output)?.[1];

const endOf = ({ how, exitCode, signal, output }: Ended): string =>
  how === 'timeout' ? 'it did not answer' : `it ended with ${exitCode ?? signal} (${output.trim()})`;
