import { availableParallelism } from 'node:os';
import { integer, type Setting } from './setting.ts';

const mostWorkers = 256;

/** A number of what works at the same time, or `auto` for the number of processor cores, which `among` bounds. */
export function workerCount(
  env: string,
  description: string,
  {
    defaultText = '1',
    among: [least, most] = [1, mostWorkers],
  }: { defaultText?: '1' | 'auto'; among?: readonly [least: number, most: number] } = {},
): Setting<number> {
  const forEachCore = Math.min(most, Math.max(least, availableParallelism()));
  const defaultValue = defaultText === 'auto' ? forEachCore : 1;
  const counted = integer(env, defaultValue, { min: 1, max: mostWorkers }, description);
  return {
    ...counted,
    type: 'integer, `auto`',
    defaultText,
    parse(text) {
      if (text.toLowerCase() === 'auto') return { value: forEachCore };
      const parsed = counted.parse(text);
      return 'problem' in parsed ? { problem: parsed.problem.replace(', not', ' or auto, not') } : parsed;
    },
  };
}
