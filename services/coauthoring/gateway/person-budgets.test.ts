import { expect, it } from 'vitest';
import { PersonBudgets } from './person-budgets.ts';

const megabyte = 1_000_000;

it('[GW34] a person sends three pastes of 10 MB at once, and then waits until what came before is paid for', () => {
  const people = new PersonBudgets();
  const paste = (nowMs: number) => people.pay('ann', 10 * megabyte, nowMs);
  expect([paste(0), paste(0), paste(0), paste(0)]).toEqual([0, 0, 0, 0]);
  expect([paste(0), paste(0)]).toEqual([8_000, 18_000]);
  expect(people.pay('bob', 10 * megabyte, 0)).toBe(0);
  expect(paste(28_000)).toBe(0);
});

it('[GW37] what would wait for longer than a minute is not kept, and costs nothing', () => {
  const people = new PersonBudgets();
  const waits = Array.from({ length: 12 }, () => people.pay('ann', 10 * megabyte, 0));
  expect(waits.slice(8)).toEqual([48_000, 58_000, null, null]);
  expect(people.pay('ann', 10 * megabyte, 8_000)).toBe(60_000);
  expect(people.pay('bob', 10 * megabyte, 0)).toBe(0);
});

it('[GW34] who saves large pieces at the rate at which they are paid for never waits', () => {
  const people = new PersonBudgets();
  for (let second = 0; second < 600; second += 10)
    expect(people.pay('ann', 10 * megabyte, second * 1_000)).toBe(0);
});

it('[GW35] who has paid is forgotten, and who has not is kept', () => {
  const people = new PersonBudgets();
  people.pay('ann', 200 * megabyte, 0);
  for (let number = 0; number < 10_000; number += 1) {
    const nowMs = 100 * number;
    people.pay(`p${number}`, 100_000, nowMs);
    if (number === 1_500) expect(people.pay('ann', 0, nowMs)).toBe(18_000);
  }
  expect(people.size).toBeLessThan(2_100);
});

it('[GW35] of very many who have not paid at once, those who came last are kept', () => {
  const people = new PersonBudgets();
  const count = 120_000;
  for (let number = 0; number < count; number += 1) people.pay(`p${number}`, 64 * megabyte, 0);
  expect(people.size).toBeLessThanOrEqual(50_000);
  expect(people.pay(`p${count - 1}`, 0, 0)).toBe(32_000);
});
