import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The folder of this package: the nearest above this file, whether the program runs as it was built or from its sources.
 * What the program finds beside its code (migrations, pages, itself) is named from here: the build puts modules together,
 * so that no module knows where it lies.
 */
export const packageRoot: string = find(import.meta.dirname);

/** What starts the program, for processes of its own. */
export const programFile: string = path.join(packageRoot, 'bin', 'quire.js');

/** Where the build puts the program, and what its threads run. */
export const builtProgram: string = path.join(packageRoot, 'dist', 'program');

function find(directory: string): string {
  if (nameIn(path.join(directory, 'package.json')) === 'quire') return directory;
  const above = path.dirname(directory);
  if (above === directory)
    throw new Error('The folder of the package quire, which holds the program, is gone.');
  return find(above);
}

function nameIn(packageFile: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(packageFile, 'utf8')) as { name?: string }).name;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The version of this server, as its package says. */
export const packageVersion: string = (
  JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as { version: string }
).version;
