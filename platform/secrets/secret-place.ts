import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * The content of a file of secrets (mode 0600), which is made when there is none. Any number of processes may do this at
 * once: the file appears complete and the first one wins.
 */
export async function keepSecretFile(file: string, make: () => Promise<string>): Promise<string> {
  const found = await readSecretFile(file);
  if (found !== null) return found;
  await create(file, await make());
  return readFile(file, 'utf8');
}

/** Puts another content in the place of a file of secrets; who reads it has the old or the new one, never a part. */
async function replaceSecretFile(file: string, content: string): Promise<void> {
  const temporary = temporaryName(file);
  await writeDurably(temporary, content);
  await rename(temporary, file);
  await syncDirectory(path.dirname(file));
}

/**
 * Writes the file under another name and links it into place: linking fails when the name is taken, so of
 * two processes one wins, and nobody ever sees half a file.
 */
async function create(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = temporaryName(file);
  try {
    await writeDurably(temporary, content);
    await link(temporary, file);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EEXIST') throw err;
  } finally {
    await rm(temporary, { force: true });
  }
  await syncDirectory(path.dirname(file));
}

/** Null when there is no such file. */
async function readSecretFile(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw err;
  }
}

async function writeDurably(file: string, content: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
}

const temporaryName = (file: string): string => `${file}.${randomBytes(6).toString('hex')}`;

/** Where generated secrets are kept. */
export interface SecretPlace {
  /** For people. */
  readonly name: string;
  /** The stored content; made and stored when there is none. All processes get the same. */
  keep(make: () => Promise<string>): Promise<string>;
  replace(content: string): Promise<void>;
}

/** A file with mode 0600, for a server that has its database to itself. */
export const fileOfSecrets = (file: string): SecretPlace => ({
  name: file,
  keep: (make) => keepSecretFile(file, make),
  replace: (content) => replaceSecretFile(file, content),
});

/** Secrets that all nodes on a database share, by name. */
export interface SecretRecords {
  /** The content under a name; made when there is none. When several nodes make it at once, the first one counts. */
  keep(name: string, make: () => Promise<string>): Promise<string>;
  replace(name: string, content: string): Promise<void>;
}

/** The database, for nodes that have no files in common. What `former` held before is taken over once. */
export const recordOfSecrets = (records: SecretRecords, name: string, former: string): SecretPlace => ({
  name: `the record ${name} of the database (taken over from ${former} where that was there)`,
  keep: (make) => records.keep(name, async () => (await readSecretFile(former)) ?? make()),
  replace: (content) => records.replace(name, content),
});
