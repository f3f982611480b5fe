import type { CalculationRequest } from './calculation-feed.ts';
import type {
  CalculatedCell,
  CalculatedPlace,
  CalculationAnswer,
  CalculationHost,
} from './calculation-host.ts';

/**
 * The last answer to requests, with the values of some places also where they are the same as in an answer before; null where nothing
 * was to be calculated.
 */
export function lastAnswer(
  host: CalculationHost,
  requests: Iterable<CalculationRequest>,
  wanted: readonly CalculatedPlace[],
): CalculationAnswer | null {
  const isWanted = new Set(wanted.map(keyOf));
  const known = new Map<string, CalculatedCell>();
  let last: CalculationAnswer | null = null;
  for (const request of requests) {
    const answer = host.take(request);
    if (!answer) continue;
    last = answer;
    for (const value of isWanted.size > 0 ? answer.values : [])
      if (isWanted.has(keyOf(value))) known.set(keyOf(value), value);
  }
  if (!last) return null;
  for (const value of last.values) known.delete(keyOf(value));
  return { ...last, values: [...last.values, ...known.values()] };
}

const keyOf = ({ sheet, row, column }: CalculatedPlace): string => `${row} ${column} ${sheet}`;
