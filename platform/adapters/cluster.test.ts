import { describe, expect, it } from 'vitest';
import type { Cluster, NodeDesk } from '../ports/cluster.ts';
import type { DocumentListener, NodeLeases } from '../ports/coordination.ts';

import { BusCluster, LocalCluster } from './cluster.ts';

/** A desk that answers how many people it sent away, and waits or fails when it is told to. */
function deskOf(count: number, behaviour: 'answers' | 'waits' | 'fails' = 'answers'): NodeDesk {
  const disconnect = async () => {
    if (behaviour === 'fails') throw new Error('it did not work');
    if (behaviour === 'waits') await new Promise(() => undefined);
    return count;
  };
  return { disconnect } as Partial<NodeDesk> as NodeDesk;
}

const asked = { key: 'k', userId: null, connectionId: null, reason: '' };

/** Nodes that share a bus in memory; what is said of `deaf` nodes is lost. */
async function busOf(ids: readonly string[], deaf: readonly string[] = []) {
  const listeners = new Map<string, DocumentListener>();
  const errors: string[] = [];
  const clusters = await Promise.all(
    ids.map((nodeId) => {
      const living = async () => new Set(ids);
      const leases: NodeLeases = { nodeId, living, isHeld: () => true, watch: () => () => undefined };
      const bus = {
        publish: (key: string, text: string) => {
          if (deaf.some((one) => key.endsWith(one))) return;
          queueMicrotask(() => listeners.get(key)?.received(nodeId, text));
        },
        publishConfirmed: async () => false,
        isConnected: () => true,
        listen: async (key: string, listener: DocumentListener) => {
          listeners.set(key, listener);
          return () => listeners.delete(key);
        },
      };
      return BusCluster.listen(bus, leases, (_error, question) => errors.push(question));
    }),
  );
  return { clusters, errors, listeners };
}

describe('asking nodes', () => {
  it('[AD19] all living nodes answer, the one that asks as well, each for itself', async () => {
    const { clusters } = await busOf(['a', 'b', 'c']);
    for (const [index, cluster] of clusters.entries()) cluster.open(deskOf(index));
    const { answers, silent } = await clusters[1]!.ask('disconnect', asked);
    const sorted = answers.toSorted((one, other) => one.nodeId.localeCompare(other.nodeId));
    expect(sorted).toEqual([
      { nodeId: 'a', answer: 0 },
      { nodeId: 'b', answer: 1 },
      { nodeId: 'c', answer: 2 },
    ]);
    expect(silent).toEqual([]);
    const one = await clusters[0]!.ask('disconnect', asked, { nodeIds: ['c'] });
    expect(one).toEqual({ answers: [{ nodeId: 'c', answer: 2 }], silent: [] });
  });

  it('[AD20] answers that came are told after the deadline, with the names of those that are missing', async () => {
    const { clusters, errors } = await busOf(['a', 'b', 'c', 'd'], ['d']);
    clusters[0]!.open(deskOf(1));
    clusters[1]!.open(deskOf(2, 'waits'));
    clusters[2]!.open(deskOf(3, 'fails'));
    clusters[3]!.open(deskOf(4));
    const { answers, silent } = await clusters[0]!.ask('disconnect', asked, { deadlineMs: 50 });
    expect(answers).toEqual([{ nodeId: 'a', answer: 1 }]);
    expect(silent.toSorted()).toEqual(['b', 'c', 'd']);
    expect(errors).toEqual(['disconnect']);
    // Who has failed is not waited for.
    const failed = await clusters[0]!.ask('disconnect', asked, { nodeIds: ['c'], deadlineMs: 60_000 });
    expect(failed).toEqual({ answers: [], silent: ['c'] });
  });

  it('[AD19] a node that is alone answers as a cluster does', async () => {
    const alone: Cluster = new LocalCluster('a', () => undefined);
    expect(await alone.ask('disconnect', asked)).toEqual({ answers: [], silent: ['a'] });
    alone.open(deskOf(5));
    expect(await alone.ask('disconnect', asked)).toEqual({
      answers: [{ nodeId: 'a', answer: 5 }],
      silent: [],
    });
    expect(await alone.ask('disconnect', asked, { nodeIds: ['x'] })).toEqual({ answers: [], silent: ['x'] });
    alone.open(deskOf(5, 'waits'));
    expect(await alone.ask('disconnect', asked, { deadlineMs: 20 })).toEqual({ answers: [], silent: ['a'] });
  });

  it('[AD20] a message that cannot be read harms nobody', async () => {
    const { clusters, errors, listeners } = await busOf(['a', 'b']);
    for (const cluster of clusters) cluster.open(deskOf(1));
    listeners.get('node b')!.received('a', 'not JSON');
    listeners.get('node b')!.received('a', '{"ask":"1","name":"constructor","asked":null}');
    expect((await clusters[0]!.ask('disconnect', asked)).answers).toHaveLength(2);
    expect(errors.toSorted()).toEqual(['constructor', 'unreadable']);
  });
});
