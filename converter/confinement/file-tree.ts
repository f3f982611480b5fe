import { type Command, devices, maxProcesses, systemDirectories, type Visible } from './command.ts';
import { filtered, filteredInTree } from './seal.ts';

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
export function inOwnTree(command: Command, visible: Visible, isFiltered: boolean): Command {
  const { readable, directory, stays = false } = visible;
  if (isFiltered && !stays) return ['unshare', ...namespaces, ...filteredInTree(command, visible)];
  const program = isFiltered ? filtered(command) : command;
  const seen = [String(readable.length), ...readable];
  return ['unshare', ...namespaces, '/bin/sh', '-c', script, directory, ...seen, ...program];
}
