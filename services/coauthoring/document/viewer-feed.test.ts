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

const { viewerHoldMs } = defaultSessionTimes;

/** An editor who is alone, and a live viewer. */
async function watched() {
  const scene = actorScene({ times: { viewerHoldMs } });
  const [ann, viewer] = [new FakeClient('ann', 1), new FakeClient('viewer', 2, { view: true })];
  await scene.join(ann);
  await scene.join(viewer);
  return { ...scene, ann, viewer };
}

test('[PR5] viewers of an editor who is alone are shown changes after a while, and never what was taken back by then', async () => {
  const { say, ann, viewer } = await watched();
  await say(ann, saveOf(['a', 'wrong']));
  await vi.advanceTimersByTimeAsync(viewerHoldMs - 1);
  expect(viewer.changes).toEqual([]);
  await say(ann, saveOf(['b'], { deleteIndex: 1 }));
  expect(viewer.changes).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(viewer.changes).toEqual(['a', 'b']);
  expect(viewer.last('error')).toBeUndefined();
});

test('[PR7] they are shown what was held when somebody comes in and when the last editor leaves', async () => {
  const { say, join, leave, ann, viewer } = await watched();
  await say(ann, saveOf(['a']));
  await join(new FakeClient('other', 3, { view: true }));
  expect(viewer.changes).toEqual(['a']);
  await say(ann, saveOf(['b']));
  expect(viewer.changes).toEqual(['a']);
  await leave(ann);
  expect(viewer.changes).toEqual(['a', 'b']);
});
