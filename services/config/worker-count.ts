import { availableParallelism } from 'node:os';
import { integer, type Setting } from './setting.ts';

const mostWorkers = 256;

/** A number of processes, or `auto` for the number of processor cores. */
export function workerCount(env: string, description: string): Setting<number> {
  const counted = integer(env, 1, { min: 1, max: mostWorkers }, description);
  return {
    ...counted,
    type: 'integer, `auto`',
    parse(text) {
      if (text.toLowerCase() === 'auto') return { value: Math.min(mostWorkers, availableParallelism()) };
      const parsed = counted.parse(text);
      return 'problem' in parsed ? { problem: parsed.problem.replace(', not', ' or auto, not') } : parsed;
    },
  };
}
