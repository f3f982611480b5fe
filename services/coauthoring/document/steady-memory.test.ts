import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { actorScene } from '../../../test/support/actor-scene.ts';
import { FakeClient } from '../../../test/support/fake-client.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('[LD35] people who go on talking and moving their cursors leave nothing in memory but the newest messages', async () => {
  const { join, say } = actorScene();
  const people = Array.from({ length: 8 }, (_, at) => new FakeClient(`person ${at}`, at + 1));
  for (const one of people) await join(one);
  await say(people[0]!, { type: 'unLockDocument', unlock: true });
  const talk = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1) {
      for (const one of people) {
        await say(one, { type: 'message', message: `round ${round}: ${'x'.repeat(200)}` });
        await say(one, { type: 'cursor', cursor: `${round}` });
      }
      vi.advanceTimersByTime(1_000);
      for (const { received } of people) {
        expect(received.filter(({ type }) => type === 'message')).toHaveLength(people.length);
        received.length = 0;
      }
    }
    collect();
    return process.memoryUsage().heapUsed;
  };
  // Until the chat has its thousand messages, and the code has been run often.
  const before = await talk(300);
  const rounds = 500;
  const after = await talk(rounds);
  const messages = rounds * people.length;
  // The text alone of each that was kept has more than 200.
  expect((after - before) / messages).toBeLessThan(150);
});
