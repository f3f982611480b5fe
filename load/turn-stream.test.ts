import { describe, expect, it } from 'vitest';
import { randomFrom } from './random.ts';
import type { Act } from './scenario.ts';
import { TurnStream } from './turn-stream.ts';

/** People who note their turns. */
function people(count: number) {
  const turns: { who: number; act: Act; dueAtMs: number }[] = [];
  const actors = Array.from({ length: count }, (_, who) => ({
    act: (act: Act, dueAtMs: number) => void turns.push({ who, act, dueAtMs }),
  }));
  return { turns, actors };
}

function takeUntil(stream: TurnStream, atMs: number): void {
  while (stream.nextAtMs <= atMs) stream.take();
}

describe('turns', () => {
  it('[LD6] everybody acts once in each round, evenly spread, and turns that were late keep their time', () => {
    const { turns, actors } = people(3);
    const stream = new TurnStream(
      { everyS: 6, mix: { save: 1 }, pick: 'one after the other' },
      actors,
      1_000,
      randomFrom(1),
    );
    takeUntil(stream, 1_000 + 11_999);
    expect(turns.map(({ who }) => who)).toEqual([0, 2, 1, 0, 2, 1]);
    expect(turns.map(({ dueAtMs }) => dueAtMs)).toEqual([1_000, 3_000, 5_000, 7_000, 9_000, 11_000]);
  });

  it('[LD6] while only some have come, their turns are spread over the whole round', () => {
    const { turns, actors } = people(6_000);
    const stream = new TurnStream(
      { everyS: 5, mix: { chat: 1 }, pick: 'one after the other' },
      actors,
      0,
      randomFrom(1),
    );
    takeUntil(stream, 4_999.5);
    expect(new Set(turns.map(({ who }) => who)).size).toBe(6_000);
    const tenths = Array<number>(10).fill(0);
    for (const { who, dueAtMs } of turns) if (who < 1_000) tenths[Math.floor(dueAtMs / 500)]! += 1;
    expect(Math.min(...tenths)).toBeGreaterThanOrEqual(95);
    expect(Math.max(...tenths)).toBeLessThanOrEqual(105);
  });

  it('[LD6] a mix comes in its proportions, and anybody may be next', () => {
    const { turns, actors } = people(10);
    const mix = { chat: 83.5, cursor: 13.5, return: 2.5, move: 0.5 };
    takeUntil(new TurnStream({ everyS: 1, mix, pick: 'anybody' }, actors, 0, randomFrom(5)), 2_000_000);
    const share = (act: Act) => turns.filter((turn) => turn.act === act).length / turns.length;
    for (const [act, weight] of Object.entries(mix)) {
      expect(share(act as Act)).toBeCloseTo(weight / 100, 1.7);
    }
    expect(new Set(turns.map(({ who }) => who)).size).toBe(10);
  });

  it('[LD6] where nobody is, nobody has a turn', () => {
    const nobody = new TurnStream({ everyS: 1, mix: { chat: 1 }, pick: 'anybody' }, [], 0, randomFrom(1));
    expect(nobody.nextAtMs).toBe(Number.POSITIVE_INFINITY);
  });
});
