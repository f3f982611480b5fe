import { expect, test } from 'vitest';
import { NodesWorld } from '../../../test/support/nodes-world.ts';

const nobody = { editor: 0, viewer: 0, live_viewer: 0, closed: 0 };

test('[ME10] sessions are counted as they come, leave co-editing and go', async () => {
  const world = new NodesWorld(1);
  const { registry } = world.nodes[0]!;
  const [ann, bob] = [await world.join('ann', 0), await world.join('bob', 0)];
  const viewer = await world.join('vera', 0, { view: true });
  const { live } = viewer.member;
  const viewers = { ...nobody, [live ? 'live_viewer' : 'viewer']: 1 };
  expect(registry.sessions).toEqual({ ...viewers, editor: 2 });

  const [actor] = registry.actors();
  await actor!.run(() => actor!.leave(bob.member, true));
  expect(registry.sessions).toEqual({ ...viewers, editor: 1, closed: 1 });
  await world.leave(bob);
  expect(registry.sessions).toEqual({ ...viewers, editor: 1 });

  const back = await world.comeBack(ann, 0);
  expect(registry.sessions).toEqual({ ...viewers, editor: 1 });
  for (const client of [back, viewer]) await world.leave(client);
  expect(registry.sessions).toEqual(nobody);
  await world.close();
});
