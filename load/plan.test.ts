import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { movesOf, planOf, processesOfPeople, sharesOf, sizesOf } from './plan.ts';
import { type Act, readScenario, scenarioNames } from './scenario.ts';
import { TurnStream } from './turn-stream.ts';

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

describe('the plan of a run', () => {
  it('[LD1] every scenario scales its people, rooms and rates with one number, and keeps its times', async () => {
    for (const name of await scenarioNames()) {
      const scenario = await readScenario(name);
      const whole = planOf(scenario, { scale: 1, seed: 1 });
      const tenth = planOf(scenario, { scale: 0.1, seed: 1 });
      expect(tenth.people).toBe(Math.round(whole.people / 10));
      expect(tenth.phases.map(({ forS }) => forS)).toEqual(scenario.phases.map(({ forS }) => forS));
      expect(Math.abs(tenth.documents - whole.documents / 10)).toBeLessThan(1);
      expect(whole.people).toBe(Math.max(...scenario.phases.map(({ people }) => people)));
    }
  });

  it('[LD1] a duration stretches all phases alike', async () => {
    const scenario = await readScenario('hour');
    const { phases } = planOf(scenario, { scale: 0.1, seed: 1, durationS: 36 });
    expect(phases.map(({ forS }) => forS)).toEqual([3, 30, 3]);
  });

  it('[LD26] the middle may take another time, and all else keeps its own', async () => {
    const hour = planOf(await readScenario('hour'), { scale: 0.1, seed: 1, middleS: 600 });
    expect(hour.phases.map(({ forS }) => forS)).toEqual([300, 600, 300]);
    const growth = planOf(await readScenario('growth'), { scale: 0.1, seed: 1, middleS: 75 });
    expect(growth.phases.map(({ forS }) => forS)).toEqual([12, 55, 12, 18, 18, 27, 60]);
    for (const name of await scenarioNames()) {
      const { phases } = await readScenario(name);
      expect(phases.filter(({ middle }) => middle).length, name).toBeGreaterThan(0);
    }
  });

  it('[LD18] where people come faster than is wanted, the phase takes longer, and nothing else', async () => {
    const scenario = await readScenario('hour');
    const plan = planOf(scenario, { scale: 1, seed: 1, durationS: 36, rampLimitPerS: 100 });
    expect(plan.phases.map(({ forS }) => forS)).toEqual([100, 30, 3]);
    expect(planOf(scenario, { scale: 0.01, seed: 1, rampLimitPerS: 100 }).phases[0]!.forS).toBe(300);
  });

  it('[LD2] the rooms hold everybody, none is empty, and the largest is as large as it was published', () => {
    const published = sizesOf({ rooms: 530, largest: 427 }, 26_000, 1);
    expect(published).toHaveLength(530);
    expect(sumOf(published)).toBe(26_000);
    expect(Math.max(...published)).toBe(427);
    const room = fc.record({
      people: fc.integer({ min: 1, max: 3_000 }),
      rooms: fc.integer({ min: 1, max: 600 }),
      largest: fc.integer({ min: 1, max: 500 }),
    });
    fc.assert(
      fc.property(room, ({ people, rooms, largest }) => {
        const sizes = sizesOf({ rooms, largest }, people, 1);
        expect(sumOf(sizes)).toBe(people);
        expect(Math.min(...sizes)).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it('[LD3] the same seed seats the same people in the same documents', async () => {
    const scenario = await readScenario('rooms');
    const plan = (seed: number) => planOf(scenario, { scale: 0.02, seed }).documentOf;
    expect(plan(7)).toEqual(plan(7));
    expect(plan(7)).not.toEqual(plan(8));
  });

  it('[LD4] a document belongs to one process, and processes have about as many people', async () => {
    const plan = planOf(await readScenario('rooms'), { scale: 1, seed: 1 });
    const processOf = sharesOf(plan, 3);
    const people = [0, 0, 0];
    for (const document of plan.documentOf) people[processOf[document]!]! += 1;
    expect(Math.max(...people) - Math.min(...people)).toBeLessThan(plan.people / 100);
  });

  it('[LD6] the turns of the people in one room are spread over the whole time in which everybody has one', async () => {
    const plan = planOf(await readScenario('rooms'), { scale: 1, seed: 1 });
    const processOf = sharesOf(plan, 2);
    const largest = sizesOf({ rooms: 530, largest: 427 }, 26_000, 1).indexOf(427);
    const everyS = 240;
    const tenths = Array<number>(10).fill(0);
    const actors = plan.documentOf
      .filter((document) => processOf[document] === processOf[largest])
      .map((document) => ({
        act: (_: Act, dueAtMs: number) => {
          if (document === largest) tenths[Math.floor(dueAtMs / (everyS * 100))]! += 1;
        },
      }));
    const turns = { everyS, mix: { save: 1 }, pick: 'one after the other' as const };
    const stream = new TurnStream(turns, actors, 0, () => 0);
    for (const _ of actors) stream.take();
    expect(sumOf(tenths)).toBe(427);
    expect(Math.min(...tenths)).toBeGreaterThan(20);
    expect(Math.max(...tenths)).toBeLessThan(70);
  });

  it('[LD27] visitors come from a process of their own, where there are two', async () => {
    const hasVisitors = async (name: string) =>
      planOf(await readScenario(name), { scale: 0.1, seed: 1 }).hasVisitors;
    expect([await hasVisitors('storm'), await hasVisitors('hour')]).toEqual([true, false]);
    expect([1, 2, 3].map((processes) => processesOfPeople(true, processes))).toEqual([1, 1, 2]);
    expect([1, 2, 3].map((processes) => processesOfPeople(false, processes))).toEqual([1, 2, 3]);
  });

  it('[LD5] people come, and leave, evenly over a phase, the last to come first', () => {
    expect(movesOf({ people: 4, forS: 2 }, 2)).toEqual([
      { place: 2, atMs: 0, arrives: true },
      { place: 3, atMs: 1_000, arrives: true },
    ]);
    expect(movesOf({ people: 1, forS: 2 }, 3)).toEqual([
      { place: 2, atMs: 0, arrives: false },
      { place: 1, atMs: 1_000, arrives: false },
    ]);
    expect(movesOf({ people: 3, forS: 2 }, 3)).toEqual([]);
  });
});
