import type { Command, Visible } from './command.ts';
import { inOwnTree } from './file-tree.ts';
import { filtered, withFileRules } from './seal.ts';

/**
 * How far a program that reads untrusted files can be held, from the most to the least.
 *
 * - `namespaces`: a file tree of its own; no other process and no network exist for it.
 * - `landlock`: the kernel refuses it files that are not its own, signals to other processes, and every network.
 * - `no-network`: the kernel refuses it every network; it may read what this process may read.
 * - `limits`: it is bounded in time, memory and size alone.
 */
export type ConfinementLevel = (typeof confinementLevels)[number];
export const confinementLevels = ['namespaces', 'landlock', 'no-network', 'limits'] as const;

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

/** Whether it keeps files of this machine from a program: where it does not, only who trusts all documents may use it. */
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
