import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { actorScene, saveOf } from '../../../test/support/actor-scene.ts';
import { FakeClient } from '../../../test/support/fake-client.ts';
import { defaultSessionTimes } from './open-document.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const { firstEditorWaitMs } = defaultSessionTimes;

/** An editor with changes who says nothing, and one who waits for it. */
async function waited() {
  const scene = actorScene();
  const [ann, bob] = [new FakeClient('ann', 1), new FakeClient('bob', 2)];
  await scene.join(ann);
  await scene.say(ann, saveOf(['a', 'b']));
  await scene.join(bob);
  return { ...scene, ann, bob };
}

test('[WA12] a newcomer is let in when the first editor stays silent, who goes on and cannot rewrite what was given', async () => {
  const { say, stored, ann, bob } = await waited();
  await vi.advanceTimersByTimeAsync(firstEditorWaitMs - 1);
  expect(bob.isIn).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(bob.isIn).toBe(true);
  expect(bob.changes).toEqual(['a', 'b']);
  expect(ann.gone).toBe(false);
  await say(ann, saveOf(['x'], { deleteIndex: 1 }));
  expect(ann.last('error')).toMatchObject({ code: 4010 });
  expect(await stored()).toEqual(['a', 'b']);
});

test('[WA13] each save of the first editor gives it the whole time again', async () => {
  const { say, ann, bob } = await waited();
  for (const change of ['c', 'd']) {
    await vi.advanceTimersByTimeAsync(firstEditorWaitMs - 1);
    await say(ann, saveOf([change]));
  }
  await vi.advanceTimersByTimeAsync(firstEditorWaitMs - 1);
  expect(bob.isIn).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(bob.isIn).toBe(true);
  expect(bob.changes).toEqual(['a', 'b', 'c', 'd']);
});

test('[WA13] a first editor that goes on saving keeps newcomers waiting for three times that time and no longer', async () => {
  const { say, ann, bob } = await waited();
  let waitedMs = 0;
  for (; waitedMs + 2_000 < 3 * firstEditorWaitMs; waitedMs += 2_000) {
    await vi.advanceTimersByTimeAsync(2_000);
    await say(ann, saveOf([`${waitedMs}`]));
    expect(bob.isIn).toBe(false);
  }
  await vi.advanceTimersByTimeAsync(3 * firstEditorWaitMs - waitedMs);
  expect(bob.isIn).toBe(true);
  await say(ann, saveOf(['z']));
  expect(bob.changes.at(-1)).toBe('z');
});
