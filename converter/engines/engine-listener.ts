import { traced } from '../../platform/tracing.ts';

/** Hears of each run of an engine, and whether it gave a result. */
export type EngineListener = (task: string, isDone: boolean, elapsedMs: number) => void;

/** Runs `work` and reports how it went. */
export async function heard<Result>(
  listener: EngineListener,
  task: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  let isDone = false;
  try {
    const result = await traced(`engine ${task}`, {}, work);
    isDone = true;
    return result;
  } finally {
    listener(task, isDone, performance.now() - startedAt);
  }
}
