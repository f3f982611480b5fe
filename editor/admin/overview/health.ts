import { signal } from '@preact/signals';
import type { NodeSnapshot, OverviewAnswer } from '../../../services/admin/api.ts';
import { ask } from '../server.ts';

/** Samples that fill a graph: five minutes. */
const kept = 150;

type Samples = NodeSnapshot['samples'];

const samplesOfNode = new Map<string, Samples>();
/** How many jobs waited, once for each time that the overview was asked for. */
export const queueHistory = signal<readonly number[]>([]);

/** The samples of a node, the oldest first. */
export const samplesOf = (nodeId: string): Samples => samplesOfNode.get(nodeId) ?? [];

/** Asks for the overview, and for the samples that are not here yet. */
export async function lookAround(): Promise<OverviewAnswer> {
  const youngest = [...samplesOfNode.values()].map((samples) => samples.at(-1)?.atMs ?? 0);
  const since = youngest.length > 0 ? Math.min(...youngest) : 0;
  const answer = await ask<OverviewAnswer>('GET', `overview?samplesSince=${since}`);
  const received = new Map(answer.nodes.map(({ nodeId, samples }) => [nodeId, samples]));
  // The oldest of the last samples decides `since`, so nodes that are gone are removed.
  for (const nodeId of samplesOfNode.keys()) if (!received.has(nodeId)) samplesOfNode.delete(nodeId);
  for (const [nodeId, samples] of received) {
    const known = samplesOfNode.get(nodeId) ?? [];
    const last = known.at(-1)?.atMs ?? 0;
    samplesOfNode.set(nodeId, [...known, ...samples.filter(({ atMs }) => atMs > last)].slice(-kept));
  }
  if (answer.queue) queueHistory.value = [...queueHistory.value, answer.queue.waiting].slice(-kept);
  return answer;
}
