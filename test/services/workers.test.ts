import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { save } from '../support/saving.ts';
import { eventually, Scene } from '../support/scene.ts';

const workers = 2;

/** Asks on a connection of its own, so that workers take turns. One that was just given to a worker that dies is given up. */
function asked(url: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, timeout: 3_000 }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.once('timeout', () => request.destroy(new Error('no answer')));
    request.once('error', reject);
  });
}

describe('workers of one server, without Redis', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open({ environment: { WORKERS: String(workers), NODE_LEASE_MS: '3000' } });
  });
  afterAll(() => scene?.close());

  /** The processes that serve, by their number. */
  const pids = async (): Promise<Map<string, number>> => {
    const { text } = await asked(`${scene.quire.address}/metrics`);
    return new Map(
      [...text.matchAll(/^quire_worker_pid\{worker="(\d+)"\} (\d+)$/gm)].map(([, number, pid]) => [
        number!,
        Number(pid),
      ]),
    );
  };

  test('[WK6] metrics are those of all workers, each under its number, whichever of them is asked', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const found = await pids();
      expect([...found.keys()].sort()).toEqual(['1', '2']);
      expect(new Set(found.values()).size).toBe(workers);
    }
  });

  test('[WK7] a long-polling session works over whatever connections its requests come, and upgrades', async () => {
    for (let session = 0; session < 3; session += 1) {
      const url = `${scene.quire.address}/doc/polled/c/?EIO=4&transport=polling`;
      const { sid } = JSON.parse((await asked(url)).text.slice(1)) as { sid: string };
      expect(sid).toMatch(/^w[12]-/);
      for (let turn = 0; turn < 4; turn += 1) {
        const posted = await fetch(`${url}&sid=${sid}`, {
          method: 'POST',
          body: '3',
          headers: { connection: 'close' },
        });
        expect([posted.status, await posted.text()]).toEqual([200, 'ok']);
      }
      const upgrade = new WebSocket(
        `${url.replace('http', 'ws').replace('=polling', '=websocket')}&sid=${sid}`,
      );
      await new Promise<void>((resolve, reject) => {
        upgrade.once('open', () => upgrade.send('2probe'));
        upgrade.once('message', (data) => {
          expect(String(data)).toBe('3probe');
          resolve();
        });
        upgrade.once('error', reject);
      });
      upgrade.terminate();
    }
    const gone = await asked(`${scene.quire.address}/doc/polled/c/?EIO=4&transport=polling&sid=w9-nobody`);
    expect([gone.status, JSON.parse(gone.text)]).toEqual([400, { code: 1, message: 'Session ID unknown' }]);
  });

  test('[WK8] people in one document see each other and each other’s changes, whichever worker serves them', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    const bob = await scene.joinBeside(ann.client, key, 'bob');
    expect(bob.auth.participants!.map(({ idOriginal }) => idOriginal).sort()).toEqual(['ann', 'bob']);
    await save(ann.client, ['1;from ann']);
    const heard = await bob.client.next('saveChanges');
    expect(heard.changes.map(({ change }) => JSON.parse(change) as string)).toEqual(['1;from ann']);
    await save(bob.client, ['2;from bob'], {}, 1);
    await ann.client.next('saveChanges');
    expect(await scene.storedChanges(key)).toEqual(['1;from ann', '2;from bob']);
  });

  test('[WK9] a worker that dies is started again, and the others serve on', async () => {
    const before = await pids();
    process.kill(before.get('1')!, 'SIGKILL');
    await eventually(
      async () => (await asked(`${scene.quire.address}/healthcheck`).catch(() => null))?.text,
      (text) => text === 'true',
    );
    const found = () => pids().catch(() => new Map<string, number>());
    const after = await eventually(
      found,
      (found) => found.size === workers && found.get('1') !== before.get('1'),
      40_000,
    );
    expect(after.get('2')).toBe(before.get('2'));
  });

  test('[WK10] an orderly stop ends every process', async () => {
    const running = [...(await pids()).values()];
    expect(await scene.quire.stop()).toBe(0);
    for (const pid of running) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  });
});
