import { readlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { threadId } from 'node:worker_threads';

/** The threads that a task runs in, as they say themselves: the engine's by its number in Node and in the system, and its helper's. */
export type RunningTask = Int32Array<SharedArrayBuffer>;

const field = { engine: 0, engineInSystem: 1, helperInSystem: 2 } as const;

/** Steps below the priority of this process: where both want a processor, a long task has a quarter of it. */
const stepsBelow = 5;

let own: RunningTask | null = null;

export const newTask = (): RunningTask => new Int32Array(new SharedArrayBuffer(3 * 4));

/** The task that this engine thread has; null in other threads. */
export const ownTask = (): RunningTask | null => own;

/** This engine thread begins a task. */
export function begin(task: RunningTask): void {
  own = task;
  Atomics.store(task, field.engineInSystem, ownNumber());
  Atomics.store(task, field.engine, threadId);
}

/** This thread works for the thread of a task, which waits for it. */
export function help(task: RunningTask): void {
  Atomics.store(task, field.helperInSystem, ownNumber());
}

/** The engine's thread by its number in Node; 0 before it has begun. */
export const engineThreadOf = (task: RunningTask): number => Atomics.load(task, field.engine);

/**
 * Gives the threads of a task a lower priority than all others of this process. Without rights nobody may take that back: whoever
 * has lowered a task ends its thread after it.
 * @returns whether they have it; false where the system gives priorities to whole processes alone
 */
export function lowerPriority(task: RunningTask): boolean {
  const threads = [field.engineInSystem, field.helperInSystem].map((each) => Atomics.load(task, each));
  return threads.filter((thread) => thread !== 0 && lower(thread)).length > 0;
}

function lower(thread: number): boolean {
  try {
    os.setPriority(thread, Math.min(os.getPriority() + stepsBelow, os.constants.priority.PRIORITY_LOW));
    return true;
  } catch {
    return false;
  }
}

/** The number of this thread in the system; 0 where a priority cannot be given to it. Linux takes threads for processes there. */
function ownNumber(): number {
  try {
    return Number(path.basename(readlinkSync('/proc/thread-self')));
  } catch {
    return 0;
  }
}
