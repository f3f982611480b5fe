import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../support/eventually.ts';
import { hasNginx, TestNginx } from '../support/nginx.ts';
import { startNodes, type TestNodes } from '../support/nodes.ts';
import { hasRedis } from '../support/redis.ts';

const text = async (url: string): Promise<string> => (await fetch(url)).text();

describe.skipIf(!hasRedis)('nodes', () => {
  let world: TestNodes;
  beforeAll(async () => {
    world = await startNodes(2, { WOPI_ENABLED: 'true', WOPI_HOSTS: 'http://127.0.0.1:1/' });
  });
  afterAll(() => world?.close());

  test('[WK1] nodes that share no directory have the same secrets, which no directory of theirs holds', async () => {
    const { rows } = await world.database.pool.query<{ name: string }>(
      'SELECT name FROM secrets ORDER BY name',
    );
    expect(rows.map(({ name }) => name)).toEqual(['tokens', 'wopi-proof-keys']);
    const [one, two] = await Promise.all(
      world.nodes.map(
        async ({ address }) => /<proof-key[^>]*>/.exec(await text(`${address}/hosting/discovery`))![0],
      ),
    );
    expect(one).toBe(two);
    for (const { dataDir } of world.nodes) {
      expect(await readdir(dataDir)).not.toContain('secrets.json');
      expect(await readdir(dataDir)).not.toContain('wopi-proof-keys.json');
    }
  });

  test.skipIf(!hasNginx)(
    '[WK4] the nginx that is shipped finds every node, and a polling session stays on one',
    async () => {
      const nginx = await TestNginx.start(world.nodes.map(({ address }) => Number(new URL(address).port)));
      try {
        expect(await text(`${nginx.address}/healthcheck`)).toBe('true');
        for (const key of ['a', 'b', 'c', 'd']) {
          const url = `${nginx.address}/doc/${key}/c/?EIO=4&transport=polling`;
          const { sid } = JSON.parse((await text(url)).slice(1)) as { sid: string };
          for (let turn = 0; turn < 3; turn += 1) {
            const sent = await fetch(`${url}&sid=${sid}`, { method: 'POST', body: '3' });
            expect(sent.status).toBe(200);
          }
        }
        const upgraded = await Promise.all(
          Array.from({ length: 4 }, (_, number) =>
            opened(`${nginx.address}/doc/x${number}/c/?EIO=4&transport=websocket`),
          ),
        );
        expect(upgraded).toEqual([true, true, true, true]);
      } finally {
        await nginx.close();
      }
    },
  );

  test('[WK5] while Redis does not answer a node says that it is not well and which part it is, and lives', async () => {
    const [node] = world.nodes;
    expect(await text(`${node!.address}/healthcheck`)).toBe('true');
    world.redis.pause();
    try {
      await eventually(async () => expect(await text(`${node!.address}/healthcheck`)).toBe('false'));
      const ready = await fetch(`${node!.address}/healthcheck/ready`);
      expect(ready.status).toBe(503);
      expect(await ready.json()).toMatchObject({
        ready: false,
        parts: { database: true, files: true, redis: false },
      });
      const live = await fetch(`${node!.address}/healthcheck/live`);
      expect(live.status).toBe(200);
    } finally {
      world.redis.resume();
    }
    await eventually(async () => expect(await text(`${node!.address}/healthcheck`)).toBe('true'));
  });
});

function opened(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(address.replace('http', 'ws'));
    socket.once('open', () => {
      socket.terminate();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
