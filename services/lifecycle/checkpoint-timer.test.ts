import { afterEach, expect, test, vi } from 'vitest';
import type { CheckpointReport } from '../../converter/jobs/checkpoint.ts';
import { eventually } from '../../test/support/eventually.ts';
import { CheckpointTimer } from './checkpoint-timer.ts';

afterEach(() => vi.restoreAllMocks());

/** A timer that notes what it has made, and what it says. */
function timerOf(
  due: () => Promise<string[]>,
  make: (key: string) => CheckpointReport['kind'] = () => 'made',
) {
  const made: string[] = [];
  const errors: unknown[][] = [];
  const timer = new CheckpointTimer({
    checkpoints: { due },
    queue: {
      ask: async ({ data }) => {
        const { key } = data as { key: string };
        made.push(key);
        return { kind: make(key), changes: 0 };
      },
    },
    ...{ afterChanges: 5, everyMs: 3_600_000, log: { error: (...line: unknown[]) => errors.push(line) } },
  });
  return { timer, made, errors };
}

test('[OP17] what is wanted gets a checkpoint at once and again, others when they are looked for; an error ends nothing', async () => {
  let isBroken = false;
  const { timer, made, errors } = timerOf(async () => {
    if (isBroken) throw new Error('the database does not answer');
    return ['due', 'a'];
  });
  timer.want('before the start');
  timer.start();
  expect(made).toEqual([]);
  timer.want('a');
  await eventually(() => expect(made).toEqual(['before the start', 'a', 'due']));
  isBroken = true;
  timer.want('b');
  await eventually(() => expect(errors.length).toBeGreaterThan(0));
  isBroken = false;
  timer.want('b');
  await eventually(() => expect(made.slice(3)).toEqual(['b', 'due', 'a']));
  timer.stop();
  timer.want('c');
  await timer.look();
  expect(made).toHaveLength(6);
});

test('[OP18] a document whose checkpoint could not be made rests for eight times as long as that took, and others do not', async () => {
  const clock = { nowMs: 1_000 };
  vi.spyOn(performance, 'now').mockImplementation(() => clock.nowMs);
  const { timer, made } = timerOf(
    async () => ['hopeless', 'slow'],
    (key) => {
      clock.nowMs += 10_000;
      return key === 'slow' ? 'made' : 'not-made';
    },
  );
  await timer.look();
  timer.want('hopeless');
  clock.nowMs += 80_000 - 10_000 - 1;
  await timer.look();
  expect(made).toEqual(['hopeless', 'slow', 'slow']);
  await timer.look();
  expect(made.slice(3)).toEqual(['hopeless', 'slow']);
});
