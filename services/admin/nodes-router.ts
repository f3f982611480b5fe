import { Router } from 'express';
import { z } from 'zod';
import type { DocumentOverviews } from '../../db/document-overview.ts';
import type { SaveOverviews } from '../../db/save-overview.ts';
import type { QueueInspector } from '../../jobs/queue-inspector.ts';
import type { Cluster } from '../../platform/ports/cluster.ts';
import { AdminError } from './admin-error.ts';
import type { DrainAnswer, NodesAnswer, OverviewAnswer } from './api.ts';
import { operatorsOnly } from './api-rights.ts';
import { pathPart, read } from './request-reading.ts';

export interface NodesRouterDependencies {
  cluster: Cluster;
  documents: DocumentOverviews;
  saves: SaveOverviews;
  queue: QueueInspector;
}

/** `samplesSince`: milliseconds since 1970, of the node that is asked; only younger samples are sent. */
const sinceSchema = z.object({ samplesSince: z.coerce.number().min(0).default(0) });

/** Nodes, and everything at a glance. */
export function nodesRouter({ cluster, documents, saves, queue }: NodesRouterDependencies): Router {
  const router = Router();
  const snapshots = async (samplesSinceMs: number) => {
    const { answers, silent } = await cluster.ask('snapshot', { samplesSinceMs });
    const nodes = answers.map(({ answer }) => answer);
    return { nodes: nodes.sort((a, b) => a.startedAtMs - b.startedAtMs), silent };
  };

  router.get('/overview', async (request, response) => {
    const { samplesSince } = read(sinceSchema, request.query);
    const [counts, unsavedSince, saveCounts, queueCounts, known] = await Promise.all([
      documents.counts(),
      documents.oldestUnsaved(),
      saves.counts(),
      queue.counts(),
      snapshots(samplesSince),
    ]);
    response.json({
      nodeId: cluster.nodeId,
      documents: counts,
      unsavedSince: unsavedSince?.toISOString() ?? null,
      saves: saveCounts,
      queue: queueCounts,
      ...known,
    } satisfies OverviewAnswer);
  });

  router.get('/nodes', async (request, response) => {
    const { samplesSince } = read(sinceSchema, request.query);
    const known = await snapshots(samplesSince);
    response.json({ nodeId: cluster.nodeId, ...known } satisfies NodesAnswer);
  });

  const drain = async (nodeId: string, begin: boolean): Promise<DrainAnswer> => {
    if (!(await cluster.nodes()).includes(nodeId)) {
      throw new AdminError('unknown-node', `There is no node ${nodeId}.`);
    }
    const { answers } = await cluster.ask('drain', { begin }, { nodeIds: [nodeId] });
    const [answered] = answers;
    if (!answered) {
      throw new AdminError(
        'node-silent',
        `The node ${nodeId} did not answer; it may have heard all the same.`,
      );
    }
    return answered.answer;
  };
  router
    .route('/nodes/:id/drain')
    .put(operatorsOnly, async (request, response) => {
      response.status(202).json(await drain(pathPart(request, 'id'), true));
    })
    .delete(operatorsOnly, async (request, response) => {
      response.json(await drain(pathPart(request, 'id'), false));
    });
  return router;
}
