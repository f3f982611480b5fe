import { readdir, readlink } from 'node:fs/promises';
import { get } from 'node:http';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { workerOfDocument } from '../../services/workers/session-forwarding.ts';
import { eventually } from '../support/eventually.ts';
import { save } from '../support/saving.ts';
import { Scene, type SignedIn } from '../support/scene.ts';

const workers = 2;

/** A connection that was just given to a worker that dies has no answer, milliseconds. */
const givenUpMs = 3_000;

/** Asks on a connection of its own, which any worker may accept. */
function asked(url: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, timeout: givenUpMs }, (response) => {
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

  /** How many documents somebody is in, by worker. */
  const documents = async (): Promise<Map<string, number>> => {
    const { text } = await asked(`${scene.quire.address}/metrics`);
    return new Map(
      [...text.matchAll(/^quire_documents\{worker="(\d+)"\} (\d+)$/gm)].map(([, number, count]) => [
        number!,
        Number(count),
      ]),
    );
  };

  const everybodyLeft = () =>
    eventually(documents, (found) => [...found.values()].every((count) => count === 0));

  test('[WK6] metrics are those of all workers, each under its number, whichever of them is asked', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const found = await pids();
      expect([...found.keys()].sort()).toEqual(['1', '2']);
      expect(new Set(found.values()).size).toBe(workers);
    }
  });

  test('[NC22] each worker listens with sixty-four handles of one socket', async () => {
    const sockets = await Promise.all(
      [...(await pids()).values()].map(async (pid) => {
        const folder = `/proc/${pid}/fd`;
        const names = (await readdir(folder)).map((name) =>
          readlink(path.join(folder, name)).catch(() => ''),
        );
        const counts = new Map<string, number>();
        for (const name of await Promise.all(names)) counts.set(name, (counts.get(name) ?? 0) + 1);
        return [...counts].filter(([name, count]) => name.startsWith('socket:') && count === 64);
      }),
    );
    expect(sockets).toHaveLength(workers);
    expect(sockets[0]).toHaveLength(1);
    expect(sockets[1]).toEqual(sockets[0]);
  });

  test('[ME11] of a worker that does not answer the metrics are those that it said last, and the rest is there', async () => {
    const before = await pids();
    process.kill(before.get('1')!, 'SIGSTOP');
    try {
      const { status, text } = await asked(`${scene.quire.address}/metrics`);
      expect(status).toBe(200);
      for (const [number, pid] of before)
        expect(text).toContain(`quire_worker_pid{worker="${number}"} ${pid}`);
      expect(text).toContain('quire_restarts_total');
    } finally {
      process.kill(before.get('1')!, 'SIGCONT');
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
    for (const { client } of [ann, bob]) await client.leave();
    await everybodyLeft();
  });

  test('[WK16] all who are in a document are in the same worker, over whatever connections they come', async () => {
    const pairs = [];
    for (let turn = 0; turn < 6; turn += 1) pairs.push(await scene.pair());
    const found = [...(await documents()).values()];
    expect(found.reduce((sum, count) => sum + count)).toBe(pairs.length);
    for (const { ann, bob } of pairs) for (const { client } of [ann, bob]) await client.leave();
    await everybodyLeft();
  });

  test('[WK9] a worker that dies is started again, and the others serve on', async () => {
    const key = scene.newKey();
    const { client } = await scene.join(key, 'ann');
    const owner = [...(await documents())].find(([, count]) => count === 1)![0];
    const before = await pids();
    await client.leave();
    process.kill(before.get(owner)!, 'SIGKILL');
    const bob = await eventually(
      () => Promise.race([scene.join(key, 'bob').catch(() => null), delay(givenUpMs, null)]),
      (one) => one !== null,
    );
    await eventually(
      async () => (await asked(`${scene.quire.address}/healthcheck`).catch(() => null))?.text,
      (text) => text === 'true',
    );
    const found = () => pids().catch(() => new Map<string, number>());
    const after = await eventually(
      found,
      (found) => found.size === workers && found.get(owner) !== before.get(owner),
    );
    const other = owner === '1' ? '2' : '1';
    expect(after.get(other)).toBe(before.get(other));
    // Whichever worker bob came to: the document's own may have been away, and is back now.
    const carl = await scene.joinBeside(bob!.client, key, 'carl');
    await save(carl.client, ['1;from carl']);
    const heard = await bob!.client.next('saveChanges');
    expect(heard.changes.map(({ change }) => JSON.parse(change) as string)).toEqual(['1;from carl']);
    await save(bob!.client, ['2;from bob'], {}, 1);
    await carl.client.next('saveChanges');
    expect(await scene.storedChanges(key)).toEqual(['1;from carl', '2;from bob']);
  });

  test('[WK10] an orderly stop ends every process', async () => {
    const running = [...(await pids()).values()];
    expect(await scene.quire.stop()).toBe(0);
    for (const pid of running) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  });
});

const leaseMs = 3_000;
/** By so much a lease is longer at most, milliseconds. */
const longerAtMostMs = 20_000;

describe('workers of two servers with Redis', () => {
  let scene: Scene;
  beforeAll(async () => {
    const environment = { WORKERS: String(workers), NODE_LEASE_MS: String(leaseMs) };
    scene = await Scene.open({ nodes: 2, environment });
  });
  afterAll(() => scene?.close());

  const pids = async () => {
    const { text } = await asked(`${scene.quire.address}/metrics`);
    const found = [...text.matchAll(/^quire_worker_pid\{worker="(\d+)"\} (\d+)$/gm)];
    return new Map(found.map(([, number, pid]) => [Number(number), Number(pid)]));
  };

  test('[WK20] a worker that hangs for longer than its lease keeps its people and their locks', async () => {
    const key = scene.newKey();
    const ann = await scene.join(key, 'ann');
    const bob = await scene.join(key, 'bob');
    await ann.client.next('connectState');
    await save(ann.client, ['1;before']);
    await bob.client.next('saveChanges');
    const pid = (await pids()).get(workerOfDocument(key, workers))!;
    process.kill(pid, 'SIGSTOP');
    // Other nodes take a node for dead by time alone.
    await delay(leaseMs + longerAtMostMs + 2_000);
    process.kill(pid, 'SIGCONT');
    await save(ann.client, ['2;after'], {}, 1);
    const heard = await bob.client.next('saveChanges');
    expect(heard.changes.map(({ change }) => JSON.parse(change) as string)).toEqual(['2;after']);
  });
});

describe('workers with few descriptors', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open({
      environment: { WORKERS: String(workers) },
      within: ['prlimit', '--nofile=400'],
    });
  });
  afterAll(() => scene?.close());

  /** Asks for a connection to a document. Resolves with the status of the answer, or with null when none came in time. */
  const comes = (key: string, sockets: Set<Socket>) =>
    new Promise<number | null>((resolve) => {
      const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
      const request = get(`${scene.quire.address}/doc/${key}/c/?EIO=4&transport=websocket`, {
        ...{ agent: false, timeout: givenUpMs },
        headers: { ...headers, 'sec-websocket-key': Buffer.alloc(16).toString('base64') },
      });
      request.on('socket', (socket) => sockets.add(socket));
      request.once('upgrade', (response) => resolve(response.statusCode!));
      request.once('response', (response) => resolve(response.statusCode!));
      request.once('timeout', () => resolve(null));
      request.once('error', () => resolve(null));
    });

  const pids = async () => {
    const { text } = await asked(`${scene.quire.address}/metrics`);
    const found = [...text.matchAll(/^quire_worker_pid\{worker="(\d+)"\} (\d+)$/gm)];
    return new Map(found.map(([, number, pid]) => [Number(number), Number(pid)]));
  };

  const keys = Array.from({ length: 2_000 }, (_, number) => `crowd-${number}`);

  /** People who come later come in, and to the same processes as before. */
  async function allIsWell(before: ReadonlyMap<number, number>) {
    const sockets = new Set<Socket>();
    await eventually(
      () => Promise.all(keys.slice(0, 20).map((key) => comes(key, sockets))),
      (statuses) => statuses.every((status) => status === 101),
    );
    for (const socket of sockets) socket.destroy();
    expect(await eventually(pids, ({ size }) => size === workers)).toEqual(before);
  }

  test('[WK17] when more come than a worker that hangs can take, the rest are asked to come later, and no process ends', async () => {
    const before = await pids();
    expect(before.size).toBe(workers);
    const ofFirst = keys.filter((key) => workerOfDocument(key, workers) === 1).slice(0, 800);
    const sockets = new Set<Socket>();
    process.kill(before.get(1)!, 'SIGSTOP');
    const answers: (number | null)[] = [];
    try {
      for (let at = 0; at < ofFirst.length; at += 100) {
        answers.push(...(await Promise.all(ofFirst.slice(at, at + 100).map((key) => comes(key, sockets)))));
      }
    } finally {
      process.kill(before.get(1)!, 'SIGCONT');
      for (const socket of sockets) socket.destroy();
    }
    expect(answers.filter((status) => status === 503).length).toBeGreaterThan(300);
    await allIsWell(before);
  });

  test('[WK17] strangers get no more than half of the descriptors of a process, and people who sign in come in', async () => {
    const before = await pids();
    const sockets = new Set<Socket>();
    const answers: (number | null)[] = [];
    for (let at = 0; at < 1_600; at += 100) {
      answers.push(...(await Promise.all(keys.slice(at, at + 100).map((key) => comes(key, sockets)))));
    }
    expect(answers.filter((status) => status === 101).length).toBeGreaterThan(400);
    const open = () => [...sockets].filter((socket) => !socket.destroyed).length;
    await eventually(
      async () => open(),
      (count) => count <= 2 * 150,
    );
    await allIsWell(before);
    for (const socket of sockets) socket.destroy();
  });

  test('[WK17] when more have signed in than there are descriptors, nobody else comes in until some have left', async () => {
    const before = await pids();
    const inside: SignedIn[] = [];
    const comesIn = async (key: string) => {
      const signedIn = await Promise.race([scene.join(key, 'ann').catch(() => null), delay(givenUpMs, null)]);
      if (signedIn) inside.push(signedIn);
    };
    for (let at = 0; at < 800; at += 20) await Promise.all(keys.slice(at, at + 20).map(comesIn));
    expect(inside.length).toBeGreaterThan(400);
    expect(inside.length).toBeLessThan(2 * 300);
    // Whoever is in stays in, and saves.
    await save(inside[0]!.client, ['1;still here']);
    for (const { client } of inside) await client.leave();
    await allIsWell(before);
  });
});
