import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipArchive } from '../ooxml/package/zip-archive.ts';

/** In the wheel: the programs, libraries, scripts and fonts of x2t. */
const libraries = 'docbuilder/lib/';
/** Parts of the wheel that are for its Python interface. */
const unwanted = new Set(['docbuilder', 'libdocbuilder.c.so']);

/** Hex SHA-256 of a file. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Unpacks what x2t needs, and the licence it is under, into a directory. */
export async function unpackWheel(
  wheel: string,
  directory: string,
  progress: (doneBytes: number, totalBytes: number) => void,
): Promise<void> {
  const archive = new ZipArchive(await readFile(wheel));
  const wanted = archive.entries.flatMap((entry) => {
    const target = targetOf(entry.name);
    return target === null ? [] : [{ entry, target }];
  });
  const totalBytes = wanted.reduce((sum, { entry }) => sum + entry.sizeBytes, 0);
  let doneBytes = 0;
  for (const { entry, target } of wanted) {
    const file = path.resolve(directory, target);
    if (!file.startsWith(directory + path.sep))
      throw new Error(`the wheel holds a path that leads out: ${target}`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, archive.read(entry));
    doneBytes += entry.sizeBytes;
    progress(doneBytes, totalBytes);
  }
  await chmod(path.join(directory, 'x2t'), 0o755);
}

function targetOf(name: string): string | null {
  if (/\.dist-info\/LICENSE$/.test(name)) return 'LICENSE';
  if (!name.startsWith(libraries) || name.endsWith('/')) return null;
  const target = name.slice(libraries.length);
  return unwanted.has(target) ? null : target;
}
