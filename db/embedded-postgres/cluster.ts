import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, link, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import type { Launcher } from './launcher.ts';

const run = promisify(execFile);
const unfinished = 'initializing-';

/** The superuser of the embedded server and the database it keeps for Quire. */
export const roleName = 'quire';
export const databaseName = 'quire';

/**
 * The password of the embedded server, made once and kept in `<directory>/password`, readable by its owner only.
 */
export async function clusterPassword(directory: string): Promise<string> {
  const file = path.join(directory, 'password');
  const draft = `${file}.${process.pid}`;
  if (!existsSync(file)) {
    await writeFile(draft, randomBytes(24).toString('base64url'), { mode: 0o600 });
    try {
      // A link appears whole or not at all, and never replaces a password that another process just made.
      await link(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }
  return (await readFile(file, 'utf8')).trim();
}

/**
 * Makes the data directory when there is none. It is filled under another name and renamed when complete, so an
 * interrupted first start leaves nothing that a second one would trip over.
 *
 * @throws Error when `initdb` fails, with what it said, or when the data are of another major version
 */
export async function ensureCluster(options: {
  directory: string;
  dataDirectory: string;
  binaries: Binaries;
  launcher: Launcher;
  password: string;
}): Promise<void> {
  const { directory, dataDirectory, binaries, launcher, password } = options;
  if (existsSync(path.join(dataDirectory, 'PG_VERSION'))) {
    await checkMajorVersion(dataDirectory, binaries, launcher);
    return;
  }
  for (const name of await readdir(directory)) {
    if (name.startsWith(unfinished)) await rm(path.join(directory, name), { recursive: true });
  }
  const workshop = await mkdtemp(path.join(directory, unfinished));
  const passwordFile = path.join(workshop, 'password');
  const data = path.join(workshop, 'data');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await mkdir(data, { mode: 0o700 });
  if (launcher.owner) {
    for (const file of [passwordFile, data, workshop]) {
      await chown(file, launcher.owner.uid, launcher.owner.gid);
    }
  }
  const initdb = launcher.command(binaries.initdb, [
    ...[`--pgdata=${data}`, `--username=${roleName}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--data-checksums', '--no-instructions'],
  ]);
  try {
    await run(initdb.file, initdb.args, initdb.options);
    await rename(data, dataDirectory);
  } catch (error) {
    const { stderr, stdout, message } = error as Error & { stderr?: string; stdout?: string };
    const said = [stdout, stderr].join('\n').trim().split('\n').slice(-5).join('\n');
    throw new Error(`The embedded PostgreSQL could not create its data directory: ${said || message}`, {
      cause: error,
    });
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

async function checkMajorVersion(
  dataDirectory: string,
  binaries: Binaries,
  launcher: Launcher,
): Promise<void> {
  const dataVersion = (await readFile(path.join(dataDirectory, 'PG_VERSION'), 'utf8')).trim();
  const { file, args, options } = launcher.command(binaries.postgres, ['--version']);
  const { stdout } = await run(file, args, options);
  const version = /(\d+)(\.|beta|rc|devel)/.exec(stdout)?.[1];
  if (version === dataVersion) return;
  throw new Error(
    `The data in ${dataDirectory} are of PostgreSQL ${dataVersion}, the installed one is ${stdout.trim()}. ` +
      'Copy them over with pg_dump and pg_restore, or set DATABASE_URL.',
  );
}
