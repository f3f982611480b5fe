import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { canWork, PartHealth, type PartProbe } from './part-health.ts';
import type { PartState } from './ports/cluster.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A part whose answers the test gives. */
function silentPart(part: PartProbe['part'], whenSilent: PartProbe['whenSilent'] = 'down') {
  const answers: ((reason: string | null) => void)[] = [];
  const ask = () => new Promise<string | null>((resolve) => void answers.push(resolve));
  return { answers, probe: { part, ask, isNeeded: whenSilent === 'down', whenSilent } };
}

const worksAlways: PartProbe = { part: 'files', ask: async () => null, isNeeded: true, whenSilent: 'down' };

test('[OB12] a part that does not answer holds nobody up, is asked once, and is down after a time', async () => {
  const { answers, probe } = silentPart('redis');
  const changes: PartState[] = [];
  const health = new PartHealth([probe, worksAlways], (state) => changes.push(state));
  const first = health.look();
  answers[0]!(null);
  expect(canWork(await first)).toBe(true);

  await vi.advanceTimersByTimeAsync(2_000);
  const second = health.look();
  await vi.advanceTimersByTimeAsync(250);
  // One question without an answer yet: what was known before is still said.
  expect((await second)[0]).toMatchObject({ isUp: true });
  await vi.advanceTimersByTimeAsync(4_750);
  const third = health.look();
  await vi.advanceTimersByTimeAsync(250);
  const states = await third;
  expect(states[0]).toMatchObject({ part: 'redis', isUp: false, reason: 'it does not answer' });
  expect(states[1]).toMatchObject({ part: 'files', isUp: true, reason: null });
  expect(canWork(states)).toBe(false);
  expect(answers).toHaveLength(2);

  answers[1]!(null);
  await vi.advanceTimersByTimeAsync(0);
  expect(changes.filter(({ part }) => part === 'redis').map(({ isUp }) => isUp)).toEqual([true, false, true]);
});

test('[OB12] where nothing is known of a part yet, its answer is waited for', async () => {
  const { answers, probe } = silentPart('database');
  const looked = new PartHealth([probe, worksAlways], () => undefined).look();
  await vi.advanceTimersByTimeAsync(1_400);
  answers[0]!(null);
  expect(canWork(await looked)).toBe(true);
});

test('[OB12] a part that is asked through another one is not called down while that one is away', async () => {
  const { answers, probe } = silentPart('converters', 'unknown');
  const health = new PartHealth([probe, worksAlways], () => undefined);
  const first = health.look();
  answers[0]!('no converter takes jobs');
  expect((await first)[0]).toMatchObject({ isUp: false, reason: 'no converter takes jobs' });
  await vi.advanceTimersByTimeAsync(2_000);
  void health.look();
  await vi.advanceTimersByTimeAsync(5_000);
  const last = health.look();
  await vi.advanceTimersByTimeAsync(1_500);
  const states = await last;
  expect(states[0]).toMatchObject({ isUp: null });
  expect(canWork(states)).toBe(true);
});

test('[OB12] a part that may still be starting is not called down before its time, and at once when it worked before', async () => {
  const { answers, probe } = silentPart('converters', 'unknown');
  const changes: (boolean | null)[] = [];
  const health = new PartHealth([{ ...probe, startsWithinMs: 30_000 }], ({ isUp }) => changes.push(isUp));
  const answered = async (reason: string | null) => {
    await vi.advanceTimersByTimeAsync(10_000);
    const looked = health.look();
    answers.at(-1)!(reason);
    return (await looked)[0];
  };
  const missing = 'no converter takes jobs';
  expect(await answered(missing)).toMatchObject({ isUp: null, reason: missing });
  expect(await answered(missing)).toMatchObject({ isUp: null });
  expect(await answered(missing)).toMatchObject({ isUp: false, reason: missing });
  expect(await answered(null)).toMatchObject({ isUp: true, reason: null });
  expect(await answered(missing)).toMatchObject({ isUp: false });
  expect(changes).toEqual([false, true, false]);

  const fresh = new PartHealth([{ ...probe, startsWithinMs: 30_000 }], () => undefined);
  const first = fresh.look();
  answers.at(-1)!(null);
  expect((await first)[0]).toMatchObject({ isUp: true });
  await vi.advanceTimersByTimeAsync(2_000);
  const second = fresh.look();
  answers.at(-1)!(missing);
  expect((await second)[0]).toMatchObject({ isUp: false });
});

test('[OB12] an error is the reason, also one that gathers others', async () => {
  const refused = new AggregateError([new Error('connect ECONNREFUSED ::1:5432')], '');
  const probe: PartProbe = {
    ...{ part: 'database', isNeeded: true, whenSilent: 'down' },
    ask: () => Promise.reject(refused),
  };
  const [database] = await new PartHealth([probe], () => undefined).look();
  expect(database).toMatchObject({ isUp: false, reason: 'connect ECONNREFUSED ::1:5432' });
});
