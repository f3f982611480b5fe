import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The files of a profile by their paths in it. It is small, and kept in memory so that nothing of it can be left behind. */
export type ProfileFiles = readonly (readonly [name: string, bytes: Uint8Array])[];

/** LibreOffice's mark of who uses a profile. */
const inUse = '.lock';

/** Reads the files of a profile. */
export async function readProfile(directory: string): Promise<ProfileFiles> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== inUse);
  return Promise.all(
    files.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(directory, file), await readFile(file)] as const;
    }),
  );
}

/** Makes a profile of files. */
export async function writeProfile(directory: string, files: ProfileFiles): Promise<void> {
  for (const [name, bytes] of files) {
    const file = path.join(directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
}
