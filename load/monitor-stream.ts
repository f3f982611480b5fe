import { type Actor, TurnStream } from './turn-stream.ts';

/**
 * The turns of pairs who time each other: each pair once in `everyS`, the one and the other in turn. Whoever only listened
 * would be sent away: a server ends a session that does nothing for an hour.
 */
export function monitorStream(
  pairs: readonly (readonly [Actor, Actor])[],
  everyS: number,
  startAtMs: number,
  random: () => number,
): TurnStream {
  const turns = { everyS: 2 * everyS, mix: { chat: 1, cursor: 1 }, pick: 'one after the other' as const };
  return new TurnStream(turns, pairs.flat(), startAtMs, random);
}
