import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NodesAnswer, OverviewAnswer, QueueAnswer, SavesAnswer } from '../../services/admin/api.ts';
import { AdminClient } from '../support/admin-client.ts';
import { eventually } from '../support/eventually.ts';
import { RestartablePostgres } from '../support/fault-postgres.ts';
import { accepted } from '../support/integrator.ts';
import { startNodes, type TestNodes } from '../support/nodes.ts';
import { patienceMs } from '../support/patience.ts';
import { hasRedis } from '../support/redis.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import { Scrape } from '../support/scrape.ts';
import { append, joinWord } from '../support/word-editor.ts';

/** Fails when a page is not there while a part is away. */
const inTime = () => AbortSignal.timeout(patienceMs);

const scrape = (address: string) => Scrape.of(address, inTime());
const partUp = async (address: string, part: string) =>
  (await scrape(address)).sum('quire_part_up', { part });

const saidOfParts = (node: { log: readonly { msg: string; part?: unknown }[] }, part: string) =>
  node.log.filter((line) => line.part === part).map(({ msg }) => msg);

describe('a server at rest', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open({
      environment: { CONVERTER_PROCESSES: '1', DATABASE_POOL_SIZE: '3' },
      nodes: 1,
    });
  });
  afterAll(() => scene?.close());

  it('[OB8] has no query that waits for a connection, whenever it is looked at', async () => {
    // Also when the last look has left connections idle, and when none is open any more.
    const seen: number[] = [];
    for (let look = 0; look < 20; look += 1) {
      seen.push((await scrape(scene.quire.address)).sum('quire_database_waiting'));
    }
    const together = await Promise.all([1, 2, 3].map(() => scrape(scene.quire.address)));
    seen.push(...together.map((page) => page.sum('quire_database_waiting')));
    expect(new Set(seen)).toEqual(new Set([0]));
  });

  it('[OB13] is ready, has all its parts, and says how much room there is', async () => {
    const page = await eventually(
      () => scrape(scene.quire.address),
      (one) => one.sum('quire_part_up', { part: 'converters' }) === 1,
    );
    for (const part of ['database', 'files']) expect(page.sum('quire_part_up', { part })).toBe(1);
    expect(page.sum('quire_ready')).toBe(1);
    for (const directory of ['files', 'data']) {
      const free = page.sum('quire_disk_free_bytes', { directory });
      expect(free).toBeGreaterThan(0);
      expect(page.sum('quire_disk_size_bytes', { directory })).toBeGreaterThanOrEqual(free);
    }
  });
});

describe.skipIf(!hasRedis)('Redis is away (needs redis-server)', () => {
  let world: TestNodes;
  beforeAll(async () => {
    world = await startNodes(2);
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    for (const { address } of world.nodes) {
      await eventually(
        () => partUp(address, 'redis'),
        (up) => up === 1,
      );
    }
  });

  const incidents = [
    {
      name: 'killed',
      begin: () => world.redis.kill(),
      end: () => world.redis.startAgain(),
    },
    {
      name: 'paused',
      begin: async () => world.redis.pause(),
      end: async () => world.redis.resume(),
    },
  ];

  // An outage takes seconds to be seen and to be over: everything is looked at in one.
  it.each(incidents)(
    '[OB11] [OB13] [OB14] metrics and administration are there in time, name it and what is missing, and the log says once that it is away and once that it is back ($name)',
    async ({ begin, end }) => {
      const [node] = world.nodes;
      const admin = await AdminClient.of(node!);
      const before = saidOfParts(node!, 'redis').length;
      await begin();
      try {
        for (const { address } of world.nodes) {
          // From the first moment on, not only when it is known to be away.
          for (let look = 0; look < 3; look += 1) await scrape(address);
        }
        for (const { address } of world.nodes) {
          const page = await eventually(
            () => scrape(address),
            // What the queue said last is given for some seconds more.
            (one) =>
              one.sum('quire_part_up', { part: 'redis' }) === 0 &&
              !Number.isFinite(one.sumOrNaN('quire_jobs')),
          );
          expect(page.sum('quire_part_up', { part: 'database' })).toBe(1);
          expect(page.sum('quire_ready')).toBe(0);
          expect(page.sum('quire_outbox_callbacks')).toBe(0);
          expect(page.names.has('quire_process_cpu_seconds_total')).toBe(true);
        }
        const overview = await admin.get<OverviewAnswer>('overview', inTime());
        expect(overview).toMatchObject({ queue: null, missing: ['nodes', 'queue'], saves: { forgotten: 0 } });
        expect(overview.nodes.map(({ nodeId }) => nodeId)).toEqual([overview.nodeId]);
        expect(overview.nodes[0]!.parts).toContainEqual(
          expect.objectContaining({ part: 'redis', isUp: false, reason: expect.any(String) }),
        );
        const queue = await admin.get<QueueAnswer>('queue', inTime());
        expect(queue).toMatchObject({ waiting: null, jobs: [], missing: ['queue'] });
        for (const where of ['documents', 'nodes']) {
          const { missing } = await admin.get<NodesAnswer>(where, inTime());
          expect(missing, where).toEqual(['nodes']);
        }
        expect((await admin.get<SavesAnswer>('saves', inTime())).missing).toEqual([]);
      } finally {
        await end();
      }
      const whole = await eventually(
        () => admin.get<OverviewAnswer>('overview'),
        ({ missing, nodes }) => missing.length === 0 && nodes.length === 2,
      );
      expect(whole.queue).toMatchObject({ waiting: 0 });
      const said = await eventually(
        async () => saidOfParts(node!, 'redis').slice(before),
        ({ length }) => length >= 2,
      );
      expect(said).toEqual(['A part of this node does not work', 'A part of this node works again']);
    },
  );
});

describe('PostgreSQL is away', () => {
  let postgres: RestartablePostgres;
  let scene: Scene;
  beforeAll(async () => {
    postgres = await RestartablePostgres.start();
    scene = await Scene.open({ environment: { DATABASE_URL: postgres.url }, nodes: 1 });
  });
  afterAll(async () => {
    await scene?.close();
    await postgres?.remove();
  });

  it('[OB11] [OB14] metrics and administration are there in time, and name it and what is missing; afterwards they have everything again', async () => {
    const { address } = scene.quire;
    const admin = await AdminClient.of(scene.quire);
    await postgres.end('SIGQUIT');
    try {
      // From the first moment on, not only when it is known to be away.
      const overview = await admin.get<OverviewAnswer>('overview', inTime());
      expect(overview).toMatchObject({ unsaved: null, documents: null, saves: null });
      expect(overview.missing).toContain('database');
      expect(overview.nodes).toHaveLength(1);
      for (const where of ['documents', 'saves', 'queue']) {
        expect((await admin.get<NodesAnswer>(where, inTime())).missing, where).toContain('database');
      }
      expect((await admin.ask('GET', 'documents/any', undefined, {}, inTime())).status).toBe(503);
      const page = await eventually(
        () => scrape(address),
        (one) => one.sum('quire_part_up', { part: 'database' }) === 0,
      );
      expect(page.sum('quire_part_up', { part: 'files' })).toBe(1);
      expect(page.sum('quire_ready')).toBe(0);
      expect(page.sum('quire_refused_documents')).toBeNaN();
      expect(page.sum('quire_connections')).toBe(0);
      expect(scene.quire.log).toContainEqual(
        expect.objectContaining({ msg: 'A part of this node does not work', part: 'database' }),
      );
    } finally {
      await postgres.startAgain();
    }
    const whole = await eventually(
      () => admin.get<OverviewAnswer>('overview'),
      ({ missing }) => missing.length === 0,
    );
    expect(whole.unsaved).toEqual({ total: 0, documents: [] });
    await eventually(
      () => scrape(address),
      (one) => one.sum('quire_ready') === 1 && one.sum('quire_refused_documents') === 0,
    );
  });
});

describe('files cannot be written', () => {
  let scene: Scene;
  let directory: string;
  let blobs: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'quire-test-incident-'));
    blobs = path.join(directory, 'blobs');
    scene = await Scene.open({ environment: { CONVERTER_PROCESSES: '1', BLOB_DIR: blobs }, nodes: 1 });
  });
  afterAll(async () => {
    await scene?.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('[OB17] what is not stored is first in the overview, with since when and why, until it is stored', async () => {
    const admin = await AdminClient.of(scene.quire);
    const shown = async (key: string) =>
      (await admin.get<OverviewAnswer>('overview')).unsaved?.documents.find((one) => one.key === key);

    const edited = scene.newKey();
    const bob = await joinWord(scene, edited, 'bob');
    await save(bob.client, [append(edited, bob.doc, 0, ' more').change]);
    expect(await shown(edited)).toMatchObject({ why: 'edited', lastError: null });

    const refused = scene.newKey();
    scene.integrator.answer(refused, ({ status }) =>
      status === 1 ? accepted : { status: 507, body: 'no room' },
    );
    const carol = await joinWord(scene, refused, 'carol');
    await save(carol.client, [append(refused, carol.doc, 0, ' more').change]);
    await carol.client.leave();
    const why = await eventually(
      () => shown(refused),
      (one) => one?.why === 'refused',
    );
    expect(why).toMatchObject({ lastError: expect.stringContaining('507'), title: 'base.docx' });

    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    await save(ann.client, [append(key, ann.doc, 0, ' kept').change]);
    // As on a disk that is full: nothing can be stored there, and what is there cannot be told.
    const aside = `${blobs}-aside`;
    await rename(blobs, aside);
    await writeFile(blobs, '');
    try {
      await ann.client.leave();
      const failing = await eventually(
        () => shown(key),
        (one) => one?.why === 'failing',
      );
      expect(failing).toMatchObject({ lastError: expect.any(String), since: expect.any(String) });
      const { unsaved } = await admin.get<OverviewAnswer>('overview');
      // What goes on by itself comes after what does not.
      expect(unsaved!.total).toBe(3);
      expect(unsaved!.documents.at(-1)!.key).toBe(edited);
      // Files are looked at from time to time: the assembly may have failed before.
      await eventually(
        () => scrape(scene.quire.address),
        (one) =>
          one.sum('quire_oldest_job_seconds', { kind: 'assemble', state: 'delayed' }) > 0 &&
          one.sum('quire_part_up', { part: 'files' }) === 0,
      );
      const { nodes } = await admin.get<OverviewAnswer>('overview');
      expect(nodes[0]!.parts).toContainEqual(expect.objectContaining({ part: 'files', isUp: false }));
    } finally {
      await rm(blobs);
      await rename(aside, blobs);
    }
    await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
    await eventually(
      () => shown(key),
      (one) => one === undefined,
    );
    await bob.client.leave();
  });
});
