import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasRedis } from '../support/redis.ts';
import { save } from '../support/saving.ts';
import { eventually, Scene } from '../support/scene.ts';

const people = 12;

/** How many of them are connected. */
function leftOf(clients: readonly { closed: Promise<unknown> }[]): () => number {
  const connected = new Set(clients);
  for (const client of clients) void client.closed.then(() => connected.delete(client));
  return () => connected.size;
}

describe.skipIf(!hasRedis)('a node of several that gets SIGTERM', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open({ nodes: 2, environment: { DRAIN_SPREAD_MS: '3000' } });
  });
  afterAll(() => scene?.close());

  /** Editors of documents of their own, all on the node that is to stop. */
  const editors = () =>
    Promise.all(
      Array.from({ length: people }, async (_, number) => {
        const key = scene.newKey();
        const client = await scene.connectTo(1, key);
        client.send(scene.authMessage(key, `u${number}`));
        await client.next('documentOpen');
        await save(client, ['a1']);
        return client;
      }),
    );

  test('[UP3] lets its people go a few at a time while it admits nobody, ends with code 0, and the others have everything', async () => {
    const clients = await editors();
    const left = leftOf(clients);
    const node = scene.nodes[1]!;
    const { address } = node;
    const ended = node.stop();
    await eventually(
      async () => left(),
      (count) => count < people,
    );
    expect(left()).toBeGreaterThan(0);
    expect((await fetch(`${address}/healthcheck/ready`)).status).toBe(503);
    expect(await (await fetch(`${address}/internal/cluster/ready`)).text()).toBe('false');
    expect(await ended).toBe(0);
    await eventually(
      async () => left(),
      (count) => count === 0,
    );
    for (const { key } of clients) {
      const back = await scene.connectTo(0, key);
      back.send(scene.authMessage(key, 'later'));
      await back.next('documentOpen');
      expect(await scene.storedChanges(key)).toEqual(['a1']);
      back.cut();
    }
  });
});

describe.skipIf(!hasRedis)('a node of several that has more people than it can let go in time', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open({ nodes: 2, environment: { DRAIN_SPREAD_MS: '3600000' } });
  });
  afterAll(() => scene?.close());

  test('[UP3] sends the last away together and ends with code 0 before it is killed', async () => {
    const clients = await Promise.all(
      Array.from({ length: 100 }, async (_, number) => {
        const client = await scene.connectTo(1, scene.newKey());
        client.send(scene.authMessage(client.key, `u${number}`, { openCmd: undefined }));
        await client.next('auth');
        return client;
      }),
    );
    const left = leftOf(clients);
    const node = scene.nodes[1]!;
    expect(await node.stop()).toBe(0);
    await eventually(
      async () => left(),
      (count) => count === 0,
    );
    expect(node.log.some(({ msg }) => msg === 'Quire did not stop in time')).toBe(false);
  }, 60_000);
});
