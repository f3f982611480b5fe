import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';

const run = promisify(execFile);

/** Environment of every PostgreSQL program: nothing of ours, so that `PG…` variables of a user change nothing. */
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };

/** A user and group id. */
interface Account {
  uid: number;
  gid: number;
}

/** How a program of PostgreSQL is started: the file, its arguments and the options for `child_process`. */
export interface Command {
  file: string;
  args: string[];
  options: { cwd: string; env: Record<string, string>; uid?: number; gid?: number };
}

/** Starts PostgreSQL under the right account. */
export interface Launcher {
  /** Who must own the files of the database; null when it is the account that Quire itself runs as. */
  owner: Account | null;
  command(program: string, args: string[]): Command;
}

// A working directory that every account can enter: PostgreSQL asks for it and gives up where it may not.
const plain = (account?: Account): Launcher => ({
  owner: account ?? null,
  command: (file, args) => ({ file, args, options: { cwd: '/', env: environment, ...account } }),
});

/**
 * An unprivileged account that keeps one capability, so that it gets through directories closed to others
 * (a repository under `/root`). `no_setuid_fixup` because access(2), which PostgreSQL uses on its own programs,
 * ignores capabilities otherwise.
 */
const withCapability = (account: Account, capability: string): Launcher => ({
  owner: account,
  command: (program, args) => ({
    file: 'setpriv',
    args: [
      ...[`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', '--no-new-privs'],
      '--securebits=+no_setuid_fixup',
      ...['--inh-caps', '--ambient-caps', '--bounding-set'].map((set) => `${set}=-all,+${capability}`),
      ...['--', program, ...args],
    ],
    options: { cwd: '/', env: environment },
  }),
});

/**
 * Chooses the account that runs PostgreSQL. Anybody but root runs it as themselves. PostgreSQL refuses to run as
 * root, so root hands it to the owner of the existing data, else to `postgres`, else to `nobody`: accounts that
 * are there already, since a server that creates accounts surprises people. Where that account cannot reach the
 * programs or the data because a directory above them is closed to it, it keeps the capability to pass such
 * directories (`dac_read_search`, or `dac_override` in containers that have only that one); no mode of a
 * directory is changed. The process then can read what root can read, which a person with the database's
 * password, Quire running as root, could do anyway.
 *
 * @param directory an existing directory that will hold the data directory
 * @throws Error with what was tried when no account can run PostgreSQL
 */
export async function chooseLauncher(
  binaries: Binaries,
  directory: string,
  dataDirectory: string,
): Promise<Launcher> {
  if (process.getuid?.() !== 0) return plain();
  const account = (await ownerOf(dataDirectory)) ?? (await existingAccount('postgres', 'nobody'));
  const candidates = [plain(account)];
  if (process.platform === 'linux') {
    candidates.push(withCapability(account, 'dac_read_search'), withCapability(account, 'dac_override'));
  }
  const refusals: string[] = [];
  for (const launcher of candidates) {
    const refusal = await refusalOf(launcher, binaries, directory);
    if (refusal === null) return launcher;
    refusals.push(refusal);
  }
  throw new Error(
    `PostgreSQL does not run as root, and user ${account.uid} cannot reach ${directory} or ` +
      `${binaries.directory}. Set DATABASE_URL, run Quire as another user, or move it where that user can read. ` +
      `Tried: ${refusals.join(' | ')}`,
  );
}

/** Tries the launcher on both places; null when it works. */
async function refusalOf(launcher: Launcher, binaries: Binaries, directory: string): Promise<string | null> {
  const script = 'cd "$1" && exec "$2" --version';
  const { file, args, options } = launcher.command('/bin/sh', [
    '-c',
    script,
    'sh',
    directory,
    binaries.initdb,
  ]);
  try {
    await run(file, args, options);
    return null;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return (stderr?.trim() || message).replaceAll('\n', ' ');
  }
}

async function ownerOf(dataDirectory: string): Promise<Account | null> {
  try {
    const { uid, gid } = await stat(dataDirectory);
    return uid === 0 ? null : { uid, gid };
  } catch {
    return null;
  }
}

async function existingAccount(...names: string[]): Promise<Account> {
  for (const name of names) {
    try {
      const uid = Number((await run('id', ['-u', name])).stdout);
      const gid = Number((await run('id', ['-g', name])).stdout);
      if (uid > 0) return { uid, gid };
    } catch {
      // No such account: the next name is tried.
    }
  }
  throw new Error(
    `PostgreSQL does not run as root and there is no account ${names.join(' or ')}; set DATABASE_URL.`,
  );
}
