import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runBounded } from './bounded-process.ts';
import { type Confinement, confined } from './confinement.ts';

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
