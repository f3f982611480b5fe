import path from 'node:path';
import { type ConversionManner, convertOne, type FileOutcome } from './file-conversion.ts';
import type { RequestedFile } from './arguments.ts';
import { UsageError } from './usage-error.ts';

/** Hears of files while they are made. */
export interface RunListener {
  progress(source: string, share: number): void;
  ended(outcome: FileOutcome): void;
}

/** Makes files, so many at a time, in the order in which they are named. @throws the signal's reason */
export async function convertAll(
  files: readonly RequestedFile[],
  manner: ConversionManner,
  { atATime, listener }: { atATime: number; listener: RunListener },
): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  const waiting = files.values();
  const work = async (): Promise<void> => {
    for (const file of waiting) {
      listener.progress(file.source, 0);
      const outcome = await convertOne(file, manner, (share) => listener.progress(file.source, share));
      outcomes.push(outcome);
      listener.ended(outcome);
    }
  };
  const workers = Array.from({ length: Math.min(atATime, files.length) }, work);
  const ended = await Promise.allSettled(workers);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return outcomes;
}

/** Two files must not become one. @throws UsageError */
export function checkTargets(files: readonly RequestedFile[]): void {
  const targets = new Map<string, string>();
  for (const { source, target, outputType } of files) {
    const name = path.resolve(target(outputType));
    const other = targets.get(name);
    if (other !== undefined) throw new UsageError(`${other} and ${source} would both become ${name}.`);
    if (name === path.resolve(source)) throw new UsageError(`${source} would be written over itself.`);
    targets.set(name, source);
  }
}
