import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { zipSync } from 'fflate';
import { unconfined } from '../../converter/confinement/confinement.ts';
import { findX2t, type X2tInstallation } from '../../converter/engines/x2t/installation.ts';
import { X2tEngine, type X2tEngineOptions } from '../../converter/engines/x2t/x2t-engine.ts';
import { loadConfig } from '../../platform/config.ts';

/** The x2t of this machine, for tests that need the real one: where `X2T_DIR` says; null where there is none. */
export const realX2t: X2tInstallation | null = process.env.X2T_DIR
  ? await findX2t(loadConfig({ X2T_DIR: process.env.X2T_DIR, X2T_UNCONFINED: 'true' }))
  : null;

/** What the tests that need the real x2t say where there is none. */
export const needsX2t = realX2t ? 'with x2t' : 'with x2t (skipped: set X2T_DIR to where it is installed)';

/**
 * A stand-in for x2t: it tells a version and makes a catalogue of fonts like x2t, and does what `job` says for
 * everything else, a shell script with the directory of its job as `$PWD`.
 */
export function fakeX2tScript(job = 'exit 80'): string {
  return `#!/bin/sh
case "$1" in
  "") echo "  OOX/binary file converter. Version: 1.2.3.4" ;;
  -create-allfonts) echo "fonts $3" > "$2/AllFonts.js" ;;
  *) ${job} ;;
esac
`;
}

/** Puts a stand-in for x2t into a directory. */
export async function installFakeX2t(directory: string, job?: string): Promise<X2tInstallation> {
  await mkdir(directory, { recursive: true });
  const program = path.join(directory, 'x2t');
  await writeFile(program, fakeX2tScript(job));
  await chmod(program, 0o755);
  return { directory, program, version: '1.2.3.4', confinement: unconfined };
}

/** A wheel as the package index has it, with a stand-in for x2t inside. */
export function fakeWheel(script = fakeX2tScript()): Uint8Array {
  const text = (content: string) => Buffer.from(content);
  return zipSync({
    'docbuilder/__init__.py': text(''),
    'docbuilder/lib/x2t': text(script),
    'docbuilder/lib/docbuilder': text('not needed'),
    'docbuilder/lib/fonts/one.ttf': text('a font'),
    'document_builder-1.2.3.4.dist-info/LICENSE': text('a licence'),
  });
}

/** An engine with limits that tests can live with. */
export function startX2t(
  installation: X2tInstallation,
  options: Partial<X2tEngineOptions> & Pick<X2tEngineOptions, 'dataDir'>,
): Promise<X2tEngine> {
  return X2tEngine.start(installation, {
    timeoutMs: 60_000,
    memoryMb: 1_024,
    log: { warn: () => undefined },
    ...options,
  });
}
