import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DisconnectAnswer, ErrorAnswer, NodesAnswer, QueueAnswer } from '../../services/admin/api.ts';
import { AdminClient } from '../support/admin-client.ts';
import { eventually } from '../support/eventually.ts';
import { RestartablePostgres } from '../support/fault-postgres.ts';
import { accepted } from '../support/integrator.ts';
import { patienceMs } from '../support/patience.ts';
import { hasRedis } from '../support/redis.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import { Scrape } from '../support/scrape.ts';
import { append, joinWord } from '../support/word-editor.ts';

/** Asks for an action, which has to be answered while a part is away: status, code and part, or what was done. */
async function outcome(admin: AdminClient, method: string, where: string, body: object = {}) {
  const signal = AbortSignal.timeout(patienceMs);
  const reply = await admin.ask<ErrorAnswer>(method, where, body, {}, signal);
  const { code, part } = reply.body?.error ?? {};
  return code === undefined ? `${reply.status}` : `${reply.status} ${code} ${part}`;
}

const partIs = (address: string, part: string, up: number) =>
  eventually(
    async () => (await Scrape.of(address, AbortSignal.timeout(patienceMs))).sum('quire_part_up', { part }),
    (value) => value === up,
  );

describe.skipIf(!hasRedis)('Redis is away (needs redis-server)', () => {
  let scene: Scene;
  let admin: AdminClient;
  let here: string;
  let other: string;
  beforeAll(async () => {
    scene = await Scene.open({
      nodes: 2,
      environment: { CONVERTER_PROCESSES: '1', DRAIN_SPREAD_MS: '0', NODE_LEASE_MS: '30000' },
    });
    admin = await AdminClient.of(scene.quire);
    const known = await eventually(
      () => admin.get<NodesAnswer>('nodes'),
      ({ nodes }) => nodes.length === 2,
    );
    here = known.nodeId;
    other = known.nodes.find(({ nodeId }) => nodeId !== here)!.nodeId;
  });
  afterAll(() => scene?.close());

  const incidents = [
    { name: 'killed', begin: () => scene.redis!.kill(), end: () => scene.redis!.startAgain() },
    { name: 'paused', begin: async () => scene.redis!.pause(), end: async () => scene.redis!.resume() },
  ];

  // An outage takes seconds to be seen and to be over: both rules are looked at in one.
  it.each(incidents)(
    '[OB26] [OB27] [OB31] actions that need it are refused in time, and not carried out later; what this node can do alone is done; who comes afterwards stays ($name)',
    async ({ begin, end }) => {
      const key = scene.newKey();
      scene.integrator.answer(key, { status: 500, body: '{"error":1}' });
      const ann = await joinWord(scene, key, 'ann');
      await save(ann.client, [append(key, ann.doc, 0, ' waits').change]);
      ann.client.cut();
      const later = `UPDATE saves SET next_attempt_at = now() + interval '1 hour'
        WHERE key = $1 AND state = 'pending' AND attempting_since IS NULL AND attempts > 0 RETURNING id::text`;
      const { rows } = await eventually(
        () => scene.database.pool.query<{ id: string }>(later, [key]),
        ({ rowCount }) => rowCount === 1,
      );
      await begin();
      try {
        // Before it is known to be away.
        for (const where of ['queue/resume', 'queue/resume'])
          expect(await outcome(admin, 'POST', where)).toMatch(/^(503 unavailable|504 unanswered) redis$/);
        expect(await outcome(admin, 'PUT', `nodes/${other}/drain`)).toMatch(/^50[34] \w+ redis$/);
        await partIs(scene.quire.address, 'redis', 0);
        expect(await outcome(admin, 'POST', 'queue/pause')).toBe('503 unavailable redis');
        expect(await outcome(admin, 'PUT', `nodes/${other}/drain`)).toBe('503 unavailable redis');
        // These need PostgreSQL alone.
        expect(await outcome(admin, 'POST', 'queue/checkpoint/pause')).toBe('200');
        expect(await outcome(admin, 'POST', 'queue/checkpoint/resume')).toBe('200');
        expect(await outcome(admin, 'POST', 'saves/99999/retry')).toBe('404 unknown-save undefined');
        expect(await outcome(admin, 'POST', 'documents/nothing/force-save')).toBe(
          '404 unknown-document undefined',
        );
        // Draining, disconnecting and another attempt are done by this node alone.
        scene.integrator.answer(key, accepted);
        expect(await outcome(admin, 'POST', `saves/${rows[0]!.id}/retry`)).toBe('202');
        // The integrator reads the file from the server, which needs no Redis for that.
        await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
        const signal = AbortSignal.timeout(patienceMs);
        const sent = await admin.ask<DisconnectAnswer>('POST', `documents/${key}/close`, {}, {}, signal);
        expect(sent).toMatchObject({ status: 202, body: { disconnected: 0, missing: ['nodes'] } });
        expect(await outcome(admin, 'PUT', `nodes/${here}/drain`)).toBe('202');
        expect(await outcome(admin, 'DELETE', `nodes/${here}/drain`)).toBe('200');
      } finally {
        await end();
      }
      const queue = await eventually(
        () => admin.get<QueueAnswer>('queue'),
        ({ missing }) => missing.length === 0,
      );
      expect(queue.isPaused).toBe(false);
      for (const { address } of scene.nodes) await partIs(address, 'redis', 1);
      // The answer 504 says that it may have been done.
      expect(await outcome(admin, 'DELETE', `nodes/${other}/drain`)).toBe('200');
      const after = scene.newKey();
      const bob = await joinWord(scene, after, 'bob');
      // Renews the lease of the node that Bob is on.
      await (await AdminClient.of(scene.nodes[1]!)).get<NodesAnswer>('nodes');
      await save(bob.client, [append(after, bob.doc, 0, ' stays').change]);
      bob.client.cut();
    },
  );
});

describe('PostgreSQL is away', () => {
  let postgres: RestartablePostgres;
  let scene: Scene;
  let admin: AdminClient;
  beforeAll(async () => {
    postgres = await RestartablePostgres.start();
    scene = await Scene.open({ environment: { DATABASE_URL: postgres.url }, nodes: 1 });
    admin = await AdminClient.of(scene.quire);
  });
  afterAll(async () => {
    await scene?.close();
    await postgres?.remove();
  });

  const incidents = [
    { name: 'killed', begin: () => postgres.end('SIGQUIT'), end: () => postgres.startAgain() },
    { name: 'paused', begin: () => postgres.pause(), end: () => postgres.resume() },
  ];

  const actions = [
    ['POST', 'saves/1/retry'],
    ['DELETE', 'saves/1?confirm=any'],
    ['POST', 'documents/any/force-save'],
    ['POST', 'documents/any/close'],
    ['POST', 'documents/any/hand-back'],
    ['POST', 'queue/convert/pause'],
    ['POST', 'queue/pause'],
  ] as const;

  it.each(incidents)(
    '[OB26] actions are refused in time, and not carried out later ($name)',
    async ({ begin, end }) => {
      await begin();
      try {
        // Before it is known to be away; none of these changes anything if it is carried out later.
        for (const [method, where] of actions.slice(0, 5)) {
          expect(await outcome(admin, method, where), where).toMatch(/^50[34] \w+ database$/);
        }
        await partIs(scene.quire.address, 'database', 0);
        for (const [method, where] of actions) {
          expect(await outcome(admin, method, where), where).toBe('503 unavailable database');
        }
        // Whoever is signed in stays so, and this node can be drained.
        const { nodeId } = await admin.get<NodesAnswer>('nodes', AbortSignal.timeout(patienceMs));
        expect(await outcome(admin, 'PUT', `nodes/${nodeId}/drain`)).toBe('202');
        expect(await outcome(admin, 'DELETE', `nodes/${nodeId}/drain`)).toBe('200');
      } finally {
        await end();
      }
      const queue = await eventually(
        () => admin.get<QueueAnswer>('queue'),
        ({ missing }) => missing.length === 0,
      );
      expect(queue.isPaused).toBe(false);
      expect(queue.kinds.some(({ isPaused }) => isPaused)).toBe(false);
    },
  );
});
