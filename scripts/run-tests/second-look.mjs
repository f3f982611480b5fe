import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** Beyond so many files something is broken, and looking again only takes time. */
const mostFiles = 10;
const longestWaitMs = 60_000;
const calmShareOfIdle = 0.7;

/**
 * Runs each file in which something failed once more, whole and alone, when the machine is calm.
 *
 * @param first what ran
 * @param run runs one file, the number of the look is given with it
 * @param whenCalm resolves when the machine is calm
 * @returns by file, what ran then; a file that was not looked at again is not in it
 */
export async function lookAgain(first, run, whenCalm = calm) {
  const files = [...new Set(first.failures.map(({ file }) => file))];
  const second = new Map();
  if (files.length === 0) return second;
  if (files.length > mostFiles) {
    console.log(`== ${files.length} files failed: no second look`);
    return second;
  }
  for (const [number, file] of files.entries()) {
    await whenCalm();
    console.log(`== second look, alone: ${file}`);
    second.set(file, run(file, number + 1));
  }
  return second;
}

/** Waits until most of the processors have been idle for a second; not for ever. */
async function calm() {
  const deadline = Date.now() + longestWaitMs;
  while (Date.now() < deadline) {
    const before = times();
    await pause(1_000);
    const after = times();
    if ((after.idle - before.idle) / (after.all - before.all) >= calmShareOfIdle) return;
  }
}

function times() {
  const all = os.cpus().map(({ times: { user, nice, sys, irq, idle } }) => ({
    idle,
    all: user + nice + sys + irq + idle,
  }));
  return all.reduce((sum, one) => ({ idle: sum.idle + one.idle, all: sum.all + one.all }));
}
