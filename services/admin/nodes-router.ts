import { Router } from 'express';
import { z } from 'zod';
import type { DocumentOverviews, StoredUnsaved } from '../../db/document-overview.ts';
import type { SaveOverviews } from '../../db/save-overview.ts';
import type { QueuedJob, QueueInspector } from '../../jobs/queue-inspector.ts';
import type { Setting } from '../../platform/config/setting.ts';
import { settings } from '../../platform/config/settings.ts';
import type { Environment } from '../../platform/config.ts';
import { sharedQuery } from '../../platform/metrics/conventions.ts';
import { type Cluster, nodeNameOf } from '../../platform/ports/cluster.ts';
import { operatorsOnly } from './access.ts';
import type { Actions } from './actions.ts';
import { AdminError } from './admin-error.ts';
import type {
  ConfigurationAnswer,
  DrainAnswer,
  HistoryAnswer,
  NodesAnswer,
  OverviewAnswer,
  UnsavedDocument,
} from './api.ts';
import { byName } from './node-order.ts';
import { nodesWaitMs, PartialAnswer } from './partial-answer.ts';
import { pathPart, read } from './request-reading.ts';

interface NodesRouterDependencies {
  /** Of this process. */
  environment: Environment;
  cluster: Cluster;
  documents: DocumentOverviews;
  saves: SaveOverviews;
  queue: QueueInspector;
  actions: Actions;
}

/** Documents with unsaved changes that are shown, and jobs that are looked at for the reason. */
const unsavedShown = 20;
const jobsLookedAt = 1_000;

/** `samplesSince`: milliseconds since 1970, of the node that is asked; only younger samples are sent. */
const sinceSchema = z.object({ samplesSince: z.coerce.number().min(0).default(0) });

/** `since`: milliseconds since 1970; only what is younger is sent. */
const historySchema = z.object({ since: z.coerce.number().min(0).default(0) });

/** Everything at a glance, the nodes with their history, and the configuration of the one that is asked. */
export function nodesRouter(dependencies: NodesRouterDependencies): Router {
  const { environment, cluster, documents, saves, queue, actions } = dependencies;
  const router = Router();
  router.get('/configuration', (_request, response) => {
    response.json(configurationInForce(environment));
  });
  const snapshots = async (gathered: PartialAnswer, samplesSinceMs: number) => {
    const { answers, silent } = await gathered.ofNodes(cluster, 'snapshot', { samplesSinceMs });
    const nodes = answers.map(({ answer }) => answer);
    return { nodes: nodes.sort(byName), silent };
  };
  // While the queue does not answer, it is not asked again by each who looks.
  const queueCounts = sharedQuery(() => queue.counts(), { keepMs: 0 });
  const queuedJobs = sharedQuery(() => queue.jobs(jobsLookedAt));

  router.get('/overview', async (request, response) => {
    const { samplesSince } = read(sinceSchema, request.query);
    const gathered = new PartialAnswer();
    const [counts, unsaved, saveCounts, queueNow, jobs, known] = await Promise.all([
      gathered.of('database', documents.counts()),
      gathered.of('database', documents.unsaved(unsavedShown)),
      gathered.of('database', saves.counts()),
      gathered.of('queue', queueCounts()),
      gathered.of('queue', queuedJobs()),
      snapshots(gathered, samplesSince),
    ]);
    response.json({
      unsaved: unsaved && {
        total: unsaved.total,
        documents: unsaved.documents.map((one) => unsavedAnswer(one, jobs ?? [])),
      },
      nodeId: cluster.nodeId,
      documents: counts,
      unsavedSince: unsaved?.oldestSince?.toISOString() ?? null,
      saves: saveCounts,
      queue: queueNow,
      ...known,
      missing: gathered.missing,
    } satisfies OverviewAnswer);
  });

  router.get('/nodes', async (request, response) => {
    const { samplesSince } = read(sinceSchema, request.query);
    const gathered = new PartialAnswer();
    const known = await snapshots(gathered, samplesSince);
    response.json({
      nodeId: cluster.nodeId,
      ...known,
      missing: gathered.missing,
    } satisfies NodesAnswer);
  });

  router.get('/history', async (request, response) => {
    const { since } = read(historySchema, request.query);
    const gathered = new PartialAnswer();
    const { answers, silent } = await gathered.ofNodes(cluster, 'history', { sinceMs: since });
    const nodes = answers.map(({ answer }) => answer).sort(byName);
    response.json({ nodes, silent, missing: gathered.missing } satisfies HistoryAnswer);
  });

  router
    .route('/nodes/:id/drain')
    .put(operatorsOnly, async (request, response) => {
      response.status(202).json(await drain(cluster, actions, pathPart(request, 'id'), true));
    })
    .delete(operatorsOnly, async (request, response) => {
      response.json(await drain(cluster, actions, pathPart(request, 'id'), false));
    });
  return router;
}

/** Why the integrator lacks changes of a document, and what the last attempt said that failed. */
function unsavedAnswer(
  { key, title, since, state, lastError, nextAttemptAt, isDelivering }: StoredUnsaved,
  jobs: readonly Pick<QueuedJob, 'key' | 'kind' | 'lastError'>[],
): UnsavedDocument {
  const job = jobs.find((one) => one.key === key && (one.kind === 'assemble' || one.kind === 'force-save'));
  const failed = job?.lastError ?? null;
  const described = {
    ...{ key, title, since: since.toISOString() },
    lastError: lastError ?? failed,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  };
  if (state === 'forgotten') return { ...described, why: 'forgotten' };
  if (lastError !== null) return { ...described, why: 'refused' };
  if (failed !== null) return { ...described, why: 'failing' };
  if (isDelivering) return { ...described, why: 'delivering' };
  if (state === 'assembling') return { ...described, why: 'making' };
  return { ...described, why: state === 'closing' ? 'closing' : 'edited' };
}

/** Begins or ends the drain of a node. @throws AdminError when there is no such node, or it does not answer */
async function drain(
  cluster: Cluster,
  actions: Actions,
  given: string,
  begin: boolean,
): Promise<DrainAnswer> {
  const nodeId = await nodeNamed(given, cluster, actions);
  const { answers } = await cluster.ask('drain', { begin }, { nodeIds: [nodeId], deadlineMs: nodesWaitMs });
  const [answered] = answers;
  if (!answered) {
    throw new AdminError(
      'node-silent',
      `The node ${nodeId} did not answer; it may have done it all the same.`,
    );
  }
  return answered.answer;
}

/** The id of the node with an id or a name. @throws AdminError when there is not exactly one */
async function nodeNamed(given: string, cluster: Cluster, actions: Actions): Promise<string> {
  // This node needs nobody for that: it can be drained while Redis is away.
  if (given === cluster.nodeId) return given;
  const nodes = await actions.done('redis', () => cluster.nodes());
  const found = nodes.filter((id) => id === given || nodeNameOf(id) === given);
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw new AdminError('unknown-node', `There is no node ${given}.`);
  throw new AdminError('bad-request', `Several nodes have this name, say which: ${found.join(', ')}.`);
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
