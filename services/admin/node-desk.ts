import os from 'node:os';
import { DisconnectCode } from '../../client/protocol/index.ts';
import type { PartHealth } from '../../platform/part-health.ts';
import {
  type NewcomerState,
  type NodeDesk,
  type NodeSnapshot,
  nodeNameOf,
  type Participation,
} from '../../platform/ports/cluster.ts';
import type { DocumentActor } from '../coauthoring/document/actor.ts';
import { isEditor, type Member } from '../coauthoring/document/member.ts';
import { send } from '../coauthoring/document/open-document.ts';
import type { DocumentRegistry } from '../coauthoring/registry.ts';
import type { Drain } from '../lifecycle/drain.ts';
import type { HealthHistory } from './health-history.ts';
import type { HealthSamples } from './health-samples.ts';
import type { MetricsReader } from './metrics-reader.ts';

interface NodeDeskDependencies {
  nodeId: string;
  version: string;
  startedAt: Date;
  registry: DocumentRegistry;
  drain: Drain;
  metrics: MetricsReader;
  samples: HealthSamples;
  history: Pick<HealthHistory, 'since'>;
  health: Pick<PartHealth, 'known'>;
  connections: () => Record<string, number>;
  unauthenticated: () => number;
  newcomers: () => NewcomerState;
  /** Limits of caches by name, bytes. */
  cacheLimits: Readonly<Record<string, number>>;
  wakeDelivery: () => void;
}

/** What this node answers and does when an operator asks. The operator may be connected to any node. */
export function nodeDesk(dependencies: NodeDeskDependencies): NodeDesk {
  const { registry, drain, history, wakeDelivery } = dependencies;
  return {
    snapshot: ({ samplesSinceMs }) => snapshot(dependencies, samplesSinceMs),

    history: async ({ sinceMs }) => history.since(sinceMs),

    people: async ({ keys }) => {
      const found = keys.map((key) => [key, registry.find(key)] as const);
      return Object.fromEntries(found.flatMap(([key, actor]) => (actor ? [[key, peopleIn(actor)]] : [])));
    },

    watched: async ({ limit }) => {
      const keys: string[] = [];
      for (const { document } of registry.actors()) {
        if (keys.length === limit) break;
        const members = [...document.members.values()];
        if (members.length > 0 && !members.some(isEditor)) keys.push(document.key);
      }
      return keys;
    },

    document: async ({ key }) => {
      const actor = registry.find(key);
      if (!actor) return null;
      const { locks, saveTurns } = await actor.run(() => actor.held());
      return { key, people: peopleIn(actor), locks, saveTurns };
    },

    disconnect: async ({ key, userId, connectionId, reason }) => {
      const actor = registry.find(key);
      if (!actor) return 0;
      const meant = [...actor.document.members.values()].filter(
        (member) =>
          (userId === null || member.author.userId === userId) &&
          (connectionId === null || member.peer.id === connectionId),
      );
      for (const member of meant) {
        // For the end of a connection, clients show their own text for its code. The operator's text is shown as a warning.
        if (reason !== '') send(member, { type: 'warning', message: reason });
        member.peer.dismiss(DisconnectCode.drop, reason || 'drop');
      }
      return meant.length;
    },

    drain: async ({ begin }) => {
      if (begin) drain.begin();
      else drain.cancel();
      return drain.state();
    },

    wakeDelivery: async () => {
      wakeDelivery();
      return null;
    },
  };
}

async function snapshot(from: NodeDeskDependencies, samplesSinceMs: number): Promise<NodeSnapshot> {
  return {
    nodeId: from.nodeId,
    name: nodeNameOf(from.nodeId),
    host: os.hostname(),
    pid: process.pid,
    version: from.version,
    node: process.version,
    startedAtMs: from.startedAt.getTime(),
    nowMs: Date.now(),
    connections: from.connections(),
    strangers: from.unauthenticated(),
    newcomers: from.newcomers(),
    documents: from.registry.size,
    drain: from.drain.state(),
    parts: from.health.known(),
    caches: await from.metrics.caches(from.cacheLimits),
    samples: from.samples.since(samplesSinceMs),
  };
}

const peopleIn = ({ document }: DocumentActor): Participation[] =>
  [...document.members.values()].map((member) => ({
    connectionId: member.peer.id,
    userId: member.author.userId,
    name: member.author.name,
    role: roleOf(member),
    state: member.state,
    sinceMs: member.sessionTimeConnectMs,
  }));

function roleOf(member: Member): Participation['role'] {
  if (!member.view) return 'editor';
  return member.live ? 'live-viewer' : 'viewer';
}
