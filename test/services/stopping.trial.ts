import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DocumentClient } from '../../client/document-client.ts';
import { socketIoDial } from '../../client/transports/socket-io.ts';
import type { OverviewAnswer } from '../../services/admin/api.ts';
import { AdminClient } from '../support/admin-client.ts';
import { ConverterProcess } from '../support/converter-process.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { accepted, TestIntegrator } from '../support/integrator.ts';
import { startNodes, type TestNodes } from '../support/nodes.ts';
import { hasRedis } from '../support/redis.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import { Scrape } from '../support/scrape.ts';
import { SteadyTypist } from '../support/steady-typist.ts';
import { append, joinWord, wordBase } from '../support/word-editor.ts';

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
  });
});

describe.skipIf(!hasRedis)('a client of our own on a node of several that gets SIGTERM', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open({ nodes: 2, environment: { DRAIN_SPREAD_MS: '0' } });
  });
  afterAll(() => scene?.close());

  /** Somebody whose attempts to connect are led to these nodes, one after the other, and the last one from then on. */
  const personOn = async (key: string, userId: string, turns: number[]) => {
    const sourceUrl = scene.integrator.serve('moved.docx', { bytes: buildDocx({ paragraphs: ['Text'] }) });
    const unsaved: string[] = [];
    const client = new DocumentClient({
      url: '',
      key,
      auth: {
        user: { id: userId },
        permissions: { edit: true },
        mode: 'edit',
        documentCallbackUrl: scene.integrator.callbackUrl(key),
        openCmd: { format: 'docx', url: sourceUrl, title: 'Moved.docx' },
      },
      transport: (credentials, handlers) => {
        const { address } = scene.nodes[turns.length > 1 ? turns.shift()! : turns[0]!]!;
        return socketIoDial({ url: address, key, engine: 'websocket' })(credentials, handlers);
      },
      hooks: {
        takeBatch: () => [...unsaved],
        confirm: (_first, count) => void unsaved.splice(0, count),
      },
    });
    await client.open();
    const type = (text: string) => {
      unsaved.push(text);
      client.queueSave();
    };
    return { client, type, attemptsLeft: () => turns.length - 1 };
  };

  test('[SU69] it goes on at another node before it leaves, also when an attempt is led back: others see nobody leave, its locks stay, and what it saves meanwhile is stored once', async () => {
    const key = scene.newKey();
    const ann = await personOn(key, 'ann', [1, 1, 1, 0]);
    const bob = await personOn(key, 'bob', [0]);
    expect(await ann.client.acquire(['a paragraph'])).toMatchObject({ granted: true });
    await eventually(
      async () => bob.client.locks.size,
      (count) => count === 1,
    );
    const seen: string[] = [];
    const losses: string[] = [];
    ann.client.on('lost', (detail) => losses.push(detail));
    bob.client.on('participants', (all) => {
      if (!all.some(({ idOriginal }) => idOriginal === 'ann')) seen.push('ann has left');
    });
    bob.client.on('locks', (locks) => {
      if (locks.size === 0) seen.push('the lock has gone');
    });
    const typed = Array.from({ length: 20 }, (_, number) => `typed ${number}`);
    const ended = scene.nodes[1]!.stop();
    for (const text of typed) {
      ann.type(text);
      await ann.client.saved();
    }
    expect(await ended).toBe(0);
    await eventually(
      async () => ann.client.status.connection,
      (connection) => connection === 'ready',
    );
    expect(ann.attemptsLeft()).toBe(0);
    expect(losses).toEqual(['moved']);
    ann.type('at last');
    await ann.client.saved();
    expect(await scene.storedChanges(key)).toEqual([...typed, 'at last']);
    expect(await bob.client.acquire(['a paragraph'])).toMatchObject({ granted: false });
    expect(seen).toEqual([]);
    for (const { client } of [ann, bob]) client.abort();
  });
});

const letGo = 'People are let go to other servers a few at a time';

/** People who type all the time, two in each document, and what became of their connections. */
class Typists {
  readonly all: SteadyTypist[] = [];
  /** Those who have lost their connection at least once. */
  readonly lost = new Set<SteadyTypist>();
  readonly #integrator: TestIntegrator;
  #timer: NodeJS.Timeout | undefined;

  constructor(integrator: TestIntegrator) {
    this.#integrator = integrator;
  }

  async join(url: string, documents: number): Promise<void> {
    const sourceUrl = this.#integrator.serve('typed.docx', { bytes: buildDocx({ paragraphs: ['Text'] }) });
    for (let number = 0; number < 2 * documents; number += 1) {
      const key = `typed-${number >> 1}`;
      const callbackUrl = this.#integrator.callbackUrl(key);
      const typist = new SteadyTypist({ url, key, userId: `u${number}-`, sourceUrl, callbackUrl });
      typist.client.on('lost', () => this.lost.add(typist));
      await typist.client.open();
      this.all.push(typist);
    }
    let turn = 0;
    this.#timer = setInterval(() => this.all[turn++ % this.all.length]!.type(), 20);
  }

  /** Resolves when everything that was typed is acknowledged. */
  async settled(): Promise<void> {
    clearInterval(this.#timer);
    await eventually(
      async () => this.all.filter(({ isSaved }) => !isSaved).map(({ state }) => state),
      (unsaved) => unsaved.length === 0,
    );
  }

  /** Compares the logs with what was acknowledged: everything is there once, in the order of each author. */
  async expectLogs(stored: (key: string) => Promise<readonly string[]>): Promise<void> {
    for (const key of new Set(this.all.map((typist) => typist.key))) {
      const log = await stored(key);
      const own = this.all.filter((typist) => typist.key === key);
      expect(log).toHaveLength(own.reduce((sum, { saved }) => sum + saved.length, 0));
      for (const { saved } of own) expect(log.filter((change) => saved.includes(change))).toEqual(saved);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { client } of this.all) client.abort();
  }
}

const storedIn = (world: TestNodes) => async (key: string) => {
  const { rows } = await world.database.pool.query<{ changes: string }>(
    'SELECT changes FROM batches WHERE key = $1 ORDER BY first_index',
    [key],
  );
  return rows.flatMap(({ changes }) => JSON.parse(changes) as string[]);
};

describe.skipIf(!hasRedis)('servers of several workers', () => {
  let integrator: TestIntegrator;
  let world: TestNodes | undefined;
  let typists: Typists;
  beforeEach(async () => {
    integrator = await TestIntegrator.start();
    typists = new Typists(integrator);
  });
  afterEach(async () => {
    typists.close();
    await world?.close();
    await integrator.close();
  });

  const start = async (hosts: number) => {
    const environment = { WORKERS: '2', CONVERTER_PROCESSES: '0', DRAIN_SPREAD_MS: '3000' };
    world = await startNodes(hosts, environment);
    await typists.join(world.address, 12);
    return world;
  };

  test('[UP5] on SIGTERM of one of two hosts its people leave one after the other and go on at the other; nothing is lost or doubled', async () => {
    const { nodes } = await start(2);
    const stopping = nodes[1]!.stop();
    await eventually(
      async () => typists.lost.size,
      (count) => count > 0,
    );
    const early = typists.lost.size;
    expect(await stopping).toBe(0);
    expect(typists.lost.size).toBeGreaterThan(early);
    expect(typists.lost.size).toBeLessThan(typists.all.length);
    // One line of each worker.
    expect(nodes[1]!.log.filter(({ msg }) => msg === letGo)).toHaveLength(2);
    await typists.settled();
    await typists.expectLogs(storedIn(world!));
  });

  test('[UP5] on SIGTERM of the only host nobody is made to wait for others to leave: all come back to the process that follows', async () => {
    const { nodes } = await start(1);
    expect(await nodes[0]!.stop()).toBe(0);
    expect(nodes[0]!.log.filter(({ msg }) => msg === letGo)).toEqual([]);
    expect(typists.lost.size).toBe(typists.all.length);
    await nodes[0]!.restart();
    await typists.settled();
    await typists.expectLogs(storedIn(world!));
  });
});

describe('a converter that gets SIGTERM', () => {
  let scene: Scene;
  let converter: ConverterProcess | undefined;
  beforeAll(async () => {
    scene = await Scene.open({ nodes: 1 });
  });
  afterEach(() => converter?.remove());
  afterAll(() => scene?.close());

  test('[UP6] finishes the assembly that it is at, ends with code 0, and the file is delivered once', async () => {
    const { dataDir } = scene.quire;
    converter = await ConverterProcess.start({ DATABASE_URL: scene.database.url, DATA_DIR: dataDir });
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    await save(ann.client, [append(key, ann.doc, 0, ' more').change]);
    // The assembly reads its base from a pipe, and goes on when something is written there.
    const base = await blobFile(path.join(dataDir, 'blobs'), wordBase);
    await rm(base);
    await promisify(execFile)('mkfifo', [base]);
    await ann.client.leave();
    await eventually(
      async () =>
        (await Scrape.of(scene.quire.address)).sum('quire_jobs', { kind: 'assemble', state: 'active' }),
      (active) => active === 1,
    );
    const stopping = converter.stop();
    await eventually(
      async () => converter!.log.some(({ msg }) => msg === 'A converter stops'),
      (stops) => stops,
    );
    await writeFile(base, wordBase);
    expect(await stopping).toBe(0);
    expect(converter.log.filter(({ msg, job }) => msg === 'A job ended' && job === 'assemble')).toHaveLength(
      1,
    );
    await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
    expect(scene.integrator.callbacksOf(key)).toHaveLength(1);
  });
});

/** Where a blob of this content lies. */
async function blobFile(directory: string, content: Uint8Array): Promise<string> {
  const hash = createHash('sha256').update(content).digest('hex');
  const files = await readdir(directory, { recursive: true });
  return path.join(directory, files.find((file) => path.basename(file) === hash)!);
}

describe.skipIf(!hasRedis)('a server that gets SIGTERM while the integrator has a callback', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await Scene.open({
      nodes: 2,
      environment: { CONVERTER_PROCESSES: '1', CALLBACK_TIMEOUT_MS: '600000' },
    });
  });
  afterEach(() => scene?.close());

  /** A document whose final callback is under way; which server sends it is known by the log. */
  const delivering = async (key: string) => {
    const ann = await joinWord(scene, key, 'ann');
    await save(ann.client, [append(key, ann.doc, 0, ' more').change]);
    await ann.client.leave();
    await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
    const { rows } = await scene.database.pool.query<{ node: string }>(
      'SELECT attempting_node AS node FROM saves WHERE key = $1 AND attempting_since IS NOT NULL',
      [key],
    );
    return rows[0]!.node;
  };

  /** Which server has this id, by the administration. */
  const serverOf = async (nodeId: string) => {
    for (const server of scene.nodes) {
      const { nodeId: own } = await (await AdminClient.of(server)).get<OverviewAnswer>('overview');
      if (own === nodeId) return server;
    }
    throw new Error('no server has this id');
  };

  test('[UP7] waits for the answer and records it: the callback is not sent again', async () => {
    const key = scene.newKey();
    let answer = (_status: number): void => undefined;
    const answered = new Promise<number>((resolve) => {
      answer = resolve;
    });
    scene.integrator.answer(key, async ({ status }) => {
      if (status === 2) await answered;
      return accepted;
    });
    const server = await serverOf(await delivering(key));
    const stopping = server.stop();
    await eventually(
      async () => server.log.some(({ msg }) => msg === 'Quire stops'),
      (isStopping) => isStopping,
    );
    answer(200);
    expect(await stopping).toBe(0);
    const { rows } = await scene.database.pool.query('SELECT state FROM documents WHERE key = $1', [key]);
    expect(rows).toEqual([{ state: 'closed' }]);
    expect(scene.integrator.callbacksOf(key)).toHaveLength(1);
  });

  test('[UP7] does not wait for an answer that does not come: it ends with code 0, and another server delivers', async () => {
    const key = scene.newKey();
    scene.integrator.answer(key, ({ status }) => (status === 2 ? 'never' : accepted));
    const server = await serverOf(await delivering(key));
    scene.integrator.answer(key, accepted);
    expect(await server.stop()).toBe(0);
    await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
    await eventually(
      async () => (await scene.database.pool.query('SELECT state FROM documents WHERE key = $1', [key])).rows,
      ([row]) => row?.state === 'closed',
    );
  });
});
