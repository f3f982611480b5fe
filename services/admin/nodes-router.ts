import { Router } from 'express';
import { z } from 'zod';
import type { DocumentOverviews } from '../../db/document-overview.ts';
import type { SaveOverviews } from '../../db/save-overview.ts';
import type { QueueInspector } from '../../jobs/queue-inspector.ts';
import type { Setting } from '../../platform/config/setting.ts';
import { settings } from '../../platform/config/settings.ts';
import type { Environment } from '../../platform/config.ts';
import type { Cluster } from '../../platform/ports/cluster.ts';
import { operatorsOnly } from './access.ts';
import { AdminError } from './admin-error.ts';
import type { ConfigurationAnswer, DrainAnswer, NodesAnswer, OverviewAnswer } from './api.ts';
import { pathPart, read } from './request-reading.ts';

interface NodesRouterDependencies {
  /** Of this process. */
  environment: Environment;
  cluster: Cluster;
  documents: DocumentOverviews;
  saves: SaveOverviews;
  queue: QueueInspector;
}

/** `samplesSince`: milliseconds since 1970, of the node that is asked; only younger samples are sent. */
const sinceSchema = z.object({ samplesSince: z.coerce.number().min(0).default(0) });

/** Everything at a glance, the nodes, and the configuration of the one that is asked. */
export function nodesRouter(dependencies: NodesRouterDependencies): Router {
  const { environment, cluster, documents, saves, queue } = dependencies;
  const router = Router();
  router.get('/configuration', (_request, response) => {
    response.json(configurationInForce(environment));
  });
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

  router
    .route('/nodes/:id/drain')
    .put(operatorsOnly, async (request, response) => {
      response.status(202).json(await drain(cluster, pathPart(request, 'id'), true));
    })
    .delete(operatorsOnly, async (request, response) => {
      response.json(await drain(cluster, pathPart(request, 'id'), false));
    });
  return router;
}

/** Begins or ends the drain of a node. @throws AdminError when there is no such node, or it does not answer */
async function drain(cluster: Cluster, nodeId: string, begin: boolean): Promise<DrainAnswer> {
  if (!(await cluster.nodes()).includes(nodeId)) {
    throw new AdminError('unknown-node', `There is no node ${nodeId}.`);
  }
  const { answers } = await cluster.ask('drain', { begin }, { nodeIds: [nodeId] });
  const [answered] = answers;
  if (!answered) {
    throw new AdminError(
      'node-silent',
      `The node ${nodeId} did not answer; it may have done it all the same.`,
    );
  }
  return answered.answer;
}

/** The settings in force. For secrets it says only whether they are set; addresses lose their passwords. */
function configurationInForce(environment: Environment): ConfigurationAnswer {
  return {
    settings: Object.values<Setting<unknown>>(settings).map((setting) => {
      const given = textOf(environment, setting.env);
      const isSet =
        given !== '' || (setting.secret === true && textOf(environment, `${setting.env}_FILE`) !== '');
      const described = { variable: setting.env, isDefault: !isSet, description: setting.description };
      if (setting.secret) return { ...described, isSecret: true, value: isSet ? 'set' : 'not set' };
      return { ...described, isSecret: false, value: isSet ? withoutPasswords(given) : setting.defaultText };
    }),
  };
}

const textOf = (environment: Environment, variable: string): string => environment[variable]?.trim() ?? '';

/** Takes user, password and query out of addresses. */
const withoutPasswords = (text: string): string =>
  text
    .replace(/\b([a-z][a-z+]{0,20}:\/\/)[^\s/?#@]*@/gi, '$1…@')
    .replace(/(\b[a-z][a-z+]{0,20}:\/\/[^\s?#]*)[?#]\S*/gi, '$1');
