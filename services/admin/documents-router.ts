import { type Request, Router } from 'express';
import { z } from 'zod';
import { CommandResult, ForceSaveType } from '../../client/protocol/index.ts';
import { type DocumentOverviews, documentOrders } from '../../db/document-overview.ts';
import type { DocumentStateName } from '../../db/document-row.ts';
import type { SaveOverviews } from '../../db/save-overview.ts';
import {
  type Answers,
  type Cluster,
  nodeNameOf,
  type Participation,
  type Questions,
} from '../../platform/ports/cluster.ts';
import type { ForceSaves } from '../lifecycle/force-saves.ts';
import { operatorsOnly } from './access.ts';
import type { Actions } from './actions.ts';
import { AdminError } from './admin-error.ts';
import type { DisconnectAnswer, DocumentAnswer, DocumentsAnswer, Person, SaveRequestAnswer } from './api.ts';
import { found, PartialAnswer } from './partial-answer.ts';
import type { Redelivery } from './redelivery.ts';
import { hostOf, pageSchema, pathPart, read, searchSchema, wordsOf } from './request-reading.ts';
import type { SaveFiles } from './save-files.ts';

interface DocumentsRouterDependencies {
  cluster: Cluster;
  documents: DocumentOverviews;
  saves: SaveOverviews;
  saveFiles: SaveFiles;
  forceSaves: Pick<ForceSaves, 'request'>;
  redelivery: Redelivery;
  actions: Actions;
}

const documentStates = [
  'opening',
  'idle',
  'open',
  'closing',
  'assembling',
  'delivering',
  'closed',
  'failed',
  'forgotten',
] as const satisfies readonly DocumentStateName[];
/** Somebody works on them, or an operator has to do something about them. */
const statesInUse: readonly DocumentStateName[] = [
  'opening',
  'open',
  'closing',
  'assembling',
  'delivering',
  'forgotten',
];
/** Most documents of a node that are listed although they have only viewers. */
const mostWatched = 1_000;
const savesShown = 20;

const listSchema = z.object({
  search: searchSchema,
  state: z.union([z.literal('all').transform(() => 'all' as const), wordsOf(documentStates)]).default(null),
  order: z.enum(documentOrders).default('recent'),
  ...pageSchema,
});
const disconnectSchema = z.object({
  userId: z.string().max(1_000).nullable().default(null),
  connectionId: z.string().max(200).nullable().default(null),
  reason: z.string().max(500).default(''),
});
const closeSchema = z.object({ reason: z.string().max(500).default('') });

/** Documents: their participants, and what an operator can do about one. */
export function documentsRouter(dependencies: DocumentsRouterDependencies): Router {
  const { cluster, documents, forceSaves, redelivery, actions } = dependencies;
  const router = Router();
  const existing = async (request: Request): Promise<string> => {
    const key = pathPart(request, 'key');
    if (!(await found(documents.find(key)))) throw unknownDocument(key);
    return key;
  };

  router.get('/documents', async (request, response) => {
    response.json(await listed(dependencies, read(listSchema, request.query)));
  });

  router.get('/documents/:key', async (request, response) => {
    response.json(await inFull(dependencies, pathPart(request, 'key')));
  });

  router.post('/documents/:key/force-save', operatorsOnly, async (request, response) => {
    const key = pathPart(request, 'key');
    const state = await actions.done('database', () => forceSave(forceSaves, key));
    response.status(202).json({ state } satisfies SaveRequestAnswer);
  });

  router.post('/documents/:key/close', operatorsOnly, async (request, response) => {
    const { reason } = read(closeSchema, request.body);
    const key = await existing(request);
    const asked = { key, userId: null, connectionId: null, reason };
    response.status(202).json(await disconnected(cluster, asked));
  });

  router.post('/documents/:key/disconnect', operatorsOnly, async (request, response) => {
    const { userId, connectionId, reason } = read(disconnectSchema, request.body);
    if (userId === null && connectionId === null) {
      throw new AdminError(
        'bad-request',
        'Say who: userId or connectionId. To send everybody away, close it.',
      );
    }
    const key = await existing(request);
    response.json(await disconnected(cluster, { key, userId, connectionId, reason }));
  });

  router.post('/documents/:key/hand-back', operatorsOnly, async (request, response) => {
    const state = await actions.done('database', async () => redelivery.forgotten(await existing(request)));
    response.status(202).json({ state } satisfies SaveRequestAnswer);
  });
  return router;
}

/** Documents that match a query, with their participants on all nodes. */
async function listed(
  { cluster, documents }: Pick<DocumentsRouterDependencies, 'cluster' | 'documents'>,
  { search, state, order, limit, offset }: z.infer<typeof listSchema>,
): Promise<DocumentsAnswer> {
  const states = state === 'all' ? null : (state ?? statesInUse);
  // A document that has only viewers is in state `idle`: its nodes know them, its row does not.
  const gathered = new PartialAnswer();
  const watched = state === null ? await gathered.ofNodes(cluster, 'watched', { limit: mostWatched }) : null;
  const alsoKeys = watched?.answers.flatMap(({ answer }) => answer) ?? [];
  const asked = documents.search({ text: search, states, alsoKeys, order, limit, offset });
  const matching = (await gathered.of('database', asked)) ?? { total: 0, documents: [] };
  const keys = matching.documents.map(({ key }) => key);
  const people = await gathered.ofNodes(cluster, 'people', { keys });
  return {
    total: matching.total,
    documents: matching.documents.map((one) => ({
      ...one,
      people: peopleOf(one.key, people),
    })) as unknown as DocumentsAnswer['documents'],
    silent: people.silent,
    missing: gathered.missing,
  };
}

/** One document with its participants, locks and saves. @throws AdminError when there is none */
async function inFull(
  {
    cluster,
    documents,
    saves,
    saveFiles,
  }: Omit<DocumentsRouterDependencies, 'forceSaves' | 'redelivery' | 'actions'>,
  key: string,
): Promise<Omit<DocumentAnswer, 'document'> & { document: unknown }> {
  const row = await found(documents.find(key));
  if (!row) throw unknownDocument(key);
  const { sourceUrl, callbackUrl, sourceHash: _hash, ...document } = row;
  const gathered = new PartialAnswer();
  const [attached, kept] = await Promise.all([
    gathered.ofNodes(cluster, 'document', { key }),
    gathered.of('database', saves.ofDocument(key, savesShown)),
  ]);
  const known = attached.answers.flatMap(({ nodeId, answer }) => (answer ? [{ nodeId, ...answer }] : []));
  return {
    document: { ...document, sourceHost: hostOf(sourceUrl), callbackHost: hostOf(callbackUrl) },
    people: known.flatMap(({ nodeId, people }) => people.map((person) => onNode(person, nodeId))),
    // Nodes share these: each answers the same.
    locks: known[0]?.locks ?? [],
    saveTurns: known[0]?.saveTurns ?? [],
    saves: await saveFiles.describeAll(kept ?? [], gathered),
    silent: attached.silent,
    missing: gathered.missing,
  };
}

/** Disconnects people on all nodes; on this one alone while the others cannot be asked. */
async function disconnected(
  cluster: Cluster,
  asked: Questions['disconnect']['asked'],
): Promise<DisconnectAnswer> {
  const gathered = new PartialAnswer();
  const out = await gathered.ofNodes(cluster, 'disconnect', asked);
  return { disconnected: sum(out), silent: out.silent, missing: gathered.missing };
}

/** Begins a forced save, or joins the one that is under way. @throws AdminError when there can be none */
async function forceSave(
  forceSaves: DocumentsRouterDependencies['forceSaves'],
  key: string,
): Promise<'started' | 'joined'> {
  const asked = { key, type: ForceSaveType.command, initiator: null, userData: null };
  const { code, inProgress } = await forceSaves.request(asked);
  switch (code) {
    case CommandResult.ok:
      return inProgress ? 'joined' : 'started';
    case CommandResult.badDocumentId:
      throw unknownDocument(key);
    case CommandResult.notModified:
      throw new AdminError(
        'nothing-to-save',
        'There is nothing to save: its storage has everything, nobody edits it, or nobody gave an address to save it to.',
      );
    default:
      throw new AdminError(
        'not-readable',
        'This server cannot read the changes of these editors, so it can make no file of them while they are open.',
      );
  }
}

const unknownDocument = (key: string) => new AdminError('unknown-document', `There is no document ${key}.`);

const sum = ({ answers }: Answers<number>): number => answers.reduce((all, { answer }) => all + answer, 0);

const onNode = (person: Participation, nodeId: string): Person => ({
  ...person,
  ...{ nodeId, nodeName: nodeNameOf(nodeId) },
});

const peopleOf = (key: string, { answers }: Answers<Record<string, Participation[]>>): Person[] =>
  answers.flatMap(({ nodeId, answer }) =>
    (Object.hasOwn(answer, key) ? answer[key]! : []).map((person) => onNode(person, nodeId)),
  );
