/** What a confined program sees beside the system's programs, libraries and fonts. */
export interface Visible {
  /** Directories it may read. */
  readable: readonly string[];
  /** The one directory it may write to, and works in. */
  directory: string;
}

/** A program and its arguments, as they are to be started. */
export type Command = readonly [program: string, ...argumentsOf: string[]];

/** System directories, and links to them, that programs need. */
const system = '/usr /bin /sbin /lib /lib32 /lib64';

/**
 * Builds a file tree of its own and starts the program in it: `$0` is the working directory, `$1` how many of the
 * arguments that follow are directories to read, and the rest is the program.
 */
const script = `
set -e
work=$0
root=$work/root
mkdir -p "$root"
mount -t tmpfs -o mode=755 none "$root"
show() {
  mkdir -p "$root$1"
  mount --bind "$1" "$root$1"
}
for place in ${system}; do
  if [ -L "$place" ]; then ln -s "$(readlink "$place")" "$root$place"
  elif [ -d "$place" ]; then show "$place"; mount -o remount,bind,ro "$root$place" || true
  fi
done
mkdir -p "$root/dev" "$root/proc"
for device in null zero urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount -t proc none "$root/proc"
left=$1
shift
while [ "$left" -gt 0 ]; do
  show "$1"
  mount -o remount,bind,ro "$root$1" || true
  shift
  left=$((left - 1))
done
show "$work"
exec chroot "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$work" "$@"
`;

/**
 * The command with which a program sees the files of its job, what it needs to run, and nothing else: no other file of
 * this machine, no other process and no network. x2t copies into a document whatever file a link in it names.
 * It needs Linux namespaces, which containers often forbid.
 */
export function confined([program, ...argumentsOf]: Command, { readable, directory }: Visible): Command {
  const namespaces = [
    '--user',
    '--map-root-user',
    '--mount',
    '--net',
    '--ipc',
    '--pid',
    '--fork',
    '--kill-child',
  ];
  const seen = [String(readable.length), ...readable];
  return ['unshare', ...namespaces, '/bin/sh', '-c', script, directory, ...seen, program, ...argumentsOf];
}
