/** A program and its arguments, as they are to be started. */
export type Command = readonly [program: string, ...argumentsOf: string[]];

/** What a confined program sees beside the system's programs, libraries and fonts. */
export interface Visible {
  /** Directories and files it may read; what does not exist is left out. */
  readable: readonly string[];
  /** The one directory it may write to, and works in. */
  directory: string;
  /** A directory of this machine in which it may make sockets and remove files, where it has no file tree of its own. */
  socketDirectory?: string;
  /** It runs for long: the process that stays beside it must be small, even if the start takes longer. */
  stays?: boolean;
}

/** System directories, and links to them, that programs need. */
export const systemDirectories: readonly string[] = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64'];

/** Devices that programs need. */
export const devices: readonly string[] = ['/dev/null', '/dev/zero', '/dev/urandom'];

/** Processes and threads that one confined program may have. */
export const maxProcesses = 1_024;

/** What a program may use. */
export interface ResourceLimits {
  /** Memory that is its own, MiB. */
  memoryMb: number;
  /** Largest file it may write, bytes. */
  fileBytes: number;
  /** Processor time, seconds; for programs that end by themselves. */
  processorSeconds?: number;
}

/** POSIX counts `ulimit -f` in these, bytes. */
const fileBlockBytes = 512;

const openFiles = 1_024;

/** The command that runs a program within limits. When memory runs out on this machine, it is among the first to go. */
export function limited(command: Command, limits: ResourceLimits): Command {
  const { memoryMb, fileBytes, processorSeconds } = limits;
  const script = [
    'ulimit -c 0',
    `ulimit -n ${openFiles}`,
    `ulimit -f ${Math.ceil(fileBytes / fileBlockBytes)}`,
    `ulimit -d ${memoryMb * 1_024}`,
    ...(processorSeconds === undefined ? [] : [`ulimit -t ${processorSeconds}`]),
    '{ echo 500 > /proc/self/oom_score_adj || :; } 2>/dev/null',
    'exec "$0" "$@"',
  ].join(' && ');
  return ['/bin/sh', '-c', script, ...command];
}
