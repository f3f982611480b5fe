import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  DocumentAnswer,
  DocumentsAnswer,
  ErrorAnswer,
  HistoryAnswer,
  NodesAnswer,
} from '../../services/admin/api.ts';
import { AdminClient } from '../support/admin-client.ts';
import { eventually } from '../support/eventually.ts';
import { save } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import { Scrape } from '../support/scrape.ts';
import { append, joinWord } from '../support/word-editor.ts';

const token = 'a token that all nodes have';
let scene: Scene;
let admins: AdminClient[];

beforeAll(async () => {
  scene = await Scene.open({
    nodes: 2,
    environment: {
      CONVERTER_PROCESSES: '1',
      ADMIN_TOKEN: token,
      DRAIN_SPREAD_MS: '100',
      NODE_NAME: 'docs',
      CLOSING_GRACE_MS: '1000',
    },
  });
  admins = scene.nodes.map(({ adminAddress }) => new AdminClient(adminAddress, token));
});
afterAll(() => scene?.close());

describe('the administration of several nodes', () => {
  it('[AD23] each node shows participants and metrics of all nodes, and acts on all of them', async () => {
    const nodes = await eventually(
      () => admins[0]!.get<NodesAnswer>('nodes'),
      ({ nodes, silent }) => nodes.length === 2 && silent.length === 0,
    );
    const ids = nodes.nodes.map(({ nodeId }) => nodeId);
    expect(new Set(ids).size).toBe(2);

    // Clients of a scene go to its nodes in turn: the two are on different ones.
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    const bob = await joinWord(scene, key, 'bob', ann.client);
    await save(ann.client, [append(key, ann.doc, 0, ' by two').change]);
    for (const admin of admins) {
      const { people, document, silent } = await admin.get<DocumentAnswer>(`documents/${key}`);
      expect(silent).toEqual([]);
      expect(document).toMatchObject({ state: 'open', changes: 1 });
      expect(people.map(({ userId }) => userId).sort()).toEqual(['ann', 'bob']);
      expect(new Set(people.map(({ nodeId }) => nodeId))).toEqual(new Set(ids));
      const { documents } = await admin.get<DocumentsAnswer>(`documents?search=${key}`);
      expect(documents[0]!.people).toHaveLength(2);
    }

    // Each is sent away through the node where they are not.
    const { people } = await admins[0]!.get<DocumentAnswer>(`documents/${key}`);
    const where = (userId: string) => people.find((one) => one.userId === userId)!.nodeId;
    const here = await Promise.all(
      admins.map(async (admin) => (await admin.get<NodesAnswer>('nodes')).nodeId),
    );
    const far = (userId: string) => admins[here.findIndex((id) => id !== where(userId))]!;
    const sent = await far('bob').ask('POST', `documents/${key}/disconnect`, {
      userId: 'bob',
      reason: 'Bye.',
    });
    expect(sent.body).toEqual({ disconnected: 1, silent: [], missing: [] });
    expect((await bob.client.next('warning')).message).toBe('Bye.');
    expect((await bob.client.closed).dismissed).toBe(true);

    // Ann's node is drained through the other one.
    const drained = where('ann');
    const begun = await far('ann').ask('PUT', `nodes/${drained}/drain`);
    expect(begun.body).toMatchObject({ isDraining: true });
    expect((await ann.client.closed).dismissed).toBe(false);
    await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
    expect((await far('ann').ask('DELETE', `nodes/${drained}/drain`)).body).toMatchObject({
      isDraining: false,
    });
  });

  it('[OB22] nodes have names: in their ids, beside the people on them, in the metrics; one name may be of several', async () => {
    const [admin] = admins;
    const { nodes } = await admin!.get<NodesAnswer>('nodes');
    expect(nodes.map(({ name }) => name)).toEqual(['docs', 'docs']);
    for (const { nodeId } of nodes) expect(nodeId).toMatch(/^docs\.[0-9a-f]{12}$/);
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    const { people } = await admin!.get<DocumentAnswer>(`documents/${key}`);
    expect(people.map(({ nodeName }) => nodeName)).toEqual(['docs']);
    ann.client.cut();
    const page = await Scrape.of(scene.quire.address);
    expect(page.sum('quire_node_info', { name: 'docs' })).toBe(1);
    const drained = await admin!.ask<ErrorAnswer>('PUT', 'nodes/docs/drain');
    expect(drained.status).toBe(400);
    for (const { nodeId } of nodes) expect(drained.body.error.message).toContain(nodeId);
  });

  // After the others: a node notes its first moment a quarter of a minute after its start.
  it('[OB19] each node has the history of all, by their names', async () => {
    for (const admin of admins) {
      const { nodes } = await eventually(
        () => admin.get<HistoryAnswer>('history'),
        ({ nodes, silent }) => silent.length === 0 && nodes.every(({ atMs }) => atMs.length > 0),
      );
      expect(nodes).toHaveLength(2);
      for (const { atMs, name, nodeId, moments } of nodes) {
        expect(nodeId.startsWith(`${name}.`)).toBe(true);
        expect(moments.rssBytes.at(-1)).toBeGreaterThan(2 ** 20);
        for (const column of Object.values(moments)) expect(column).toHaveLength(atMs.length);
        const later = await admin.get<HistoryAnswer>(`history?since=${atMs[0]}`);
        expect(later.nodes.find((one) => one.nodeId === nodeId)!.atMs).not.toContain(atMs[0]);
      }
    }
  });

  it('[AD23] a node that was killed is named until its lease has run out, and what the others know is shown', async () => {
    await scene.nodes[1]!.kill();
    const [admin] = admins;
    const partly = await admin!.get<NodesAnswer>('nodes');
    expect(partly.nodes).toHaveLength(1);
    expect(partly.silent).toHaveLength(1);
    await eventually(
      () => admin!.get<NodesAnswer>('nodes'),
      ({ nodes, silent }) => nodes.length === 1 && silent.length === 0,
    );
  });
});
