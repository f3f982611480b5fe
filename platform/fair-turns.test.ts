import { expect, test } from 'vitest';
import { FairTurns } from './fair-turns.ts';

const limits = { atOnce: 4, atOnceOfOne: 3, mostWaiting: 20, mostWaitingOfOne: 15 };

/** Turns, what began in which order, and how to end the oldest piece of work. */
function world() {
  const turns = new FairTurns(limits);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (whose: string, number: number) =>
    turns.run(whose, async () => {
      begun.push(`${whose}${number}`);
      await new Promise<void>((resolve) => ends.push(resolve));
      return number;
    });
  const end = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, ask, end };
}

test('[NC13] one who asks for much leaves a place to others, who take turns with them', async () => {
  const { begun, ask, end } = world();
  for (let number = 0; number < 10; number += 1) void ask('storm', number);
  expect(begun).toEqual(['storm0', 'storm1', 'storm2']);
  for (let number = 0; number < 3; number += 1) void ask('other', number);
  expect(begun.slice(3)).toEqual(['other0']);
  for (let time = 0; time < 4; time += 1) await end();
  expect(begun.slice(4)).toEqual(['storm3', 'other1', 'storm4', 'other2']);
});

test('[NC13] where more of one wait than may, those of others are taken still, and all that is taken is done', async () => {
  const { begun, ask, end } = world();
  const asked = Array.from({ length: 30 }, (_, number) => ask('storm', number));
  expect(asked.filter((one) => one === null)).toHaveLength(30 - 3 - 15);
  const other = ask('other', 7);
  for (let time = 0; time < 19; time += 1) await end();
  expect(await other).toBe(7);
  expect(await Promise.all(asked)).toEqual(asked.map((one, number) => (one === null ? null : number)));
  expect(begun).toHaveLength(19);
});

test('[NC13] work that fails gives its place back, and tells who asked', async () => {
  const turns = new FairTurns({ ...limits, atOnce: 1, atOnceOfOne: 1 });
  const failed = turns.run('a', () => Promise.reject(new Error('not today')));
  const next = turns.run('b', async () => 'done');
  await expect(failed).rejects.toThrow('not today');
  expect(await next).toBe('done');
});
