import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { overLimit } from '../../errors.ts';

/** A file of a document and its path in it, with `/`. */
export type DocumentPart = readonly [path: string, bytes: Uint8Array];

/** A directory of one job, readable by this user alone; it is removed when the job has ended. */
export class JobDirectory implements AsyncDisposable {
  readonly path: string;

  private constructor(directory: string) {
    this.path = directory;
  }

  static async create(): Promise<JobDirectory> {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-x2t-'));
    const job = new JobDirectory(directory);
    for (const name of ['in', 'out', 'temporary']) await mkdir(path.join(directory, name));
    return job;
  }

  /** Writes a file below `in`. @throws Error when its path leads out of there */
  async put(name: string, bytes: Uint8Array | string): Promise<string> {
    const inside = path.join(this.path, 'in');
    const file = path.resolve(inside, name);
    if (!file.startsWith(inside + path.sep)) throw new Error('a path leads out of the directory of its job');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
    return file;
  }

  /** All files below `out`, in the order of their paths. @throws ConversionError when they are too large together */
  async results(maxBytes: number): Promise<DocumentPart[]> {
    const outside = path.join(this.path, 'out');
    const entries = await readdir(outside, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    const results: DocumentPart[] = [];
    let sizeBytes = 0;
    for (const file of files.sort()) {
      const bytes = await readFile(file);
      sizeBytes += bytes.length;
      if (sizeBytes > maxBytes) throw overLimit('the result is too large');
      results.push([path.relative(outside, file).replaceAll(path.sep, '/'), bytes]);
    }
    return results;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}
