import { randomUUID } from 'node:crypto';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { QuireError } from '../../../platform/quire-error.ts';

/** There is a file of this name, which stays as it is. */
export class FileThereError extends QuireError {
  constructor(file: string) {
    super('file-there', `${file} is there already; --force replaces it`, { level: 'info' });
  }
}

/** There is no directory for a file of this name. */
class DirectoryMissingError extends QuireError {
  constructor(directory: string) {
    super('directory-missing', `there is no directory ${directory}`, { level: 'info' });
  }
}

const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

/**
 * Whether a new file may have this name.
 * @throws FileThereError, DirectoryMissingError
 */
export async function checkName(file: string, replace: boolean): Promise<void> {
  const directory = path.dirname(file);
  if (!(await isThere(directory))) throw new DirectoryMissingError(directory);
  if (!replace && (await isThere(file))) throw new FileThereError(file);
}

/**
 * Writes a file as a whole or not at all. It replaces another one only with `replace`.
 * @throws FileThereError
 */
export async function writeNewFile(file: string, bytes: Uint8Array, replace: boolean): Promise<void> {
  const aside = path.join(path.dirname(file), `.quire-${randomUUID()}.part`);
  try {
    await using handle = await open(aside, 'wx');
    await handle.writeFile(bytes);
    await handle.sync();
    if (replace) await rename(aside, file);
    else await install(aside, file);
  } finally {
    await rm(aside, { force: true });
  }
}

/** A link does not replace a file, a renaming would. Not every file system has links. */
async function install(aside: string, file: string): Promise<void> {
  try {
    await link(aside, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || (await isThere(file))) throw new FileThereError(file);
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    await rename(aside, file);
  }
}
