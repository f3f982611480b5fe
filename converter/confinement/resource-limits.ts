import type { Command } from './command.ts';

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
