import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runBounded } from './bounded-process.ts';
import { type Command, devices, maxProcesses, systemDirectories, type Visible } from './command.ts';
import { filtered, filteredInTree, withFileRules } from './seal.ts';

/**
 * How far a program that reads untrusted files can be held, from the most to the least.
 *
 * - `namespaces`: a file tree of its own; no other process and no network exist for it.
 * - `landlock`: the kernel refuses it files that are not its own, signals to other processes, and every network.
 * - `no-network`: the kernel refuses it every network; it may read what this process may read.
 * - `limits`: it is bounded in time, memory and size alone.
 */
export type ConfinementLevel = (typeof confinementLevels)[number];
const confinementLevels = ['namespaces', 'landlock', 'no-network', 'limits'] as const;

/** The best that this system allows. */
export interface Confinement {
  level: ConfinementLevel;
  /** Whether a filter keeps it from system calls that it has no need of. */
  filtered: boolean;
}

/** The command that runs a program held so far. */
export function confined(command: Command, visible: Visible, confinement: Confinement): Command {
  switch (confinement.level) {
    case 'namespaces':
      return inOwnTree(command, visible, confinement.filtered);
    case 'landlock':
      return withFileRules(command, visible);
    case 'no-network':
      return filtered(command);
    case 'limits':
      return command;
  }
}

/** Whether it hides files of this machine from a program. Without that, use it only if all documents are trusted. */
export const holdsFiles = ({ level }: Confinement): boolean => level === 'namespaces' || level === 'landlock';

const sentences: Readonly<Record<ConfinementLevel, string>> = {
  namespaces: 'confined to the files of its jobs, without network or other processes (namespaces)',
  landlock: 'confined to the files of its jobs, without network (Landlock and seccomp)',
  'no-network': 'without network, but able to read files of this machine (seccomp only)',
  limits: 'bounded in time, memory and size only: network and files of this machine are open to it',
};

/** What is said of it to operators, behind the name of a program. */
export function confinementSentence({ level, filtered: isFiltered }: Confinement): string {
  const isUnfiltered = level === 'namespaces' && !isFiltered;
  return sentences[level] + (isUnfiltered ? '; no filter of system calls, for which python3 is needed' : '');
}

/**
 * Where there is no python3, or the program stays: builds a file tree of its own and starts the program in it, without any right over the machine: `$0` is the working
 * directory, `$1` how many of the arguments that follow may be read, and the rest is the program. The tree itself cannot
 * be written to; `temporary` in the working directory, where there is one, is `/tmp`: names of sockets may not be long.
 * The shell stays as the first process of the namespace: that one would be spared by the signals that end others.
 */
const script = `
set -e
work=$0
root=$work/root
mkdir -p "$root"
mount -t tmpfs -o mode=755,size=1m none "$root"
show() {
  if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$root$(dirname "$1")"; touch "$root$1"; fi
  mount --bind "$1" "$root$1"
}
lock() {
  mount -o remount,bind,ro "$root$1" || [ ! -w "$root$1" ]
}
for place in ${systemDirectories.join(' ')}; do
  if [ -L "$place" ]; then ln -s "$(readlink "$place")" "$root$place"
  elif [ -d "$place" ]; then show "$place"; lock "$place"
  fi
done
mkdir -p "$root/dev" "$root/proc"
for device in ${devices.join(' ')}; do show "$device"; done
if [ -d "$work/temporary" ]; then
  mkdir "$root/tmp"
  mount --bind "$work/temporary" "$root/tmp"
fi
mount -t proc -o nosuid,nodev,noexec none "$root/proc"
left=$1
shift
while [ "$left" -gt 0 ]; do
  if [ -e "$1" ]; then show "$1"; lock "$1"; fi
  shift
  left=$((left - 1))
done
show "$work"
mount -o remount,bind,ro "$root"
ulimit -p ${maxProcesses} 2>/dev/null || ulimit -u ${maxProcesses} 2>/dev/null || :
set +e
chroot "$root" /bin/sh -c '
  cd "$0"
  if command -v setpriv >/dev/null; then exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"; fi
  exec "$@"
' "$work" "$@"
exit $?
`;

const namespaces = [
  ...['--user', '--map-root-user', '--mount', '--net', '--ipc', '--uts', '--pid'],
  ...['--fork', '--kill-child'],
];

/**
 * The command with which a program sees the files of its job, what it needs to run, and nothing else: no other file of
 * this machine, no other process and no network. It needs Linux namespaces, which containers often forbid, and python3 for a filter
 * of system calls.
 */
function inOwnTree(command: Command, visible: Visible, isFiltered: boolean): Command {
  const { readable, directory, stays = false } = visible;
  if (isFiltered && !stays) return ['unshare', ...namespaces, ...filteredInTree(command, visible)];
  const program = isFiltered ? filtered(command) : command;
  const seen = [String(readable.length), ...readable];
  return ['unshare', ...namespaces, '/bin/sh', '-c', script, directory, ...seen, ...program];
}

const limits = { timeoutMs: 20_000, memoryMb: 512, fileBytes: 1_048_576 };

/** From the strongest; the last one always works. */
const candidates: readonly Confinement[] = [
  { level: 'namespaces', filtered: true },
  { level: 'namespaces', filtered: false },
  { level: 'landlock', filtered: true },
  { level: 'no-network', filtered: true },
];
/** No confinement but the limits. */
export const unconfined: Confinement = { level: 'limits', filtered: false };

let found: Promise<Confinement> | undefined;

/** The strongest confinement that this system allows; it is tried out once. */
export function strongestConfinement(): Promise<Confinement> {
  found ??= firstThatHolds(candidates);
  return found;
}

/** The first of these that does what it says here, else none at all. */
export async function firstThatHolds(wanted: readonly Confinement[]): Promise<Confinement> {
  for (const confinement of wanted) if (await holds(confinement)) return confinement;
  return unconfined;
}

/** Whether a program can be started so, writes to its directory, and cannot read beside it where it must not. */
async function holds(confinement: Confinement): Promise<boolean> {
  const place = await realpath(await mkdtemp(path.join(os.tmpdir(), 'quire-confinement-')));
  try {
    const directory = path.join(place, 'inside');
    const outside = path.join(place, 'outside');
    await mkdir(directory);
    await writeFile(outside, 'seen');
    const script = 'echo written > file && cat file && cat "$0" 2>/dev/null || :';
    const command = confined(['/bin/sh', '-c', script, outside], { readable: [], directory }, confinement);
    const { output } = await runBounded(command, { directory, limits });
    const expected = confinement.level === 'no-network' ? 'written\nseen' : 'written\n';
    return output === expected;
  } catch {
    return false;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
