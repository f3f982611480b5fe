import { pipeline } from 'node:stream/promises';
import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { ForceSaveType } from '../../client/protocol/index.ts';
import type { DocumentOverviews } from '../../db/document-overview.ts';
import type { Forgotten } from '../../db/forgotten.ts';
import { type SaveOverview, type SaveOverviews, savePhases } from '../../db/save-overview.ts';
import type { ForceSaves } from '../lifecycle/force-saves.ts';
import { operatorsOnly } from './access.ts';
import type { Actions } from './actions.ts';
import { AdminError } from './admin-error.ts';
import type { SaveRequestAnswer, SavesAnswer } from './api.ts';
import { found, PartialAnswer } from './partial-answer.ts';
import type { Redelivery } from './redelivery.ts';
import { pageSchema, pathPart, read, searchSchema, wordsOf } from './request-reading.ts';
import type { SaveFiles } from './save-files.ts';

interface SavesRouterDependencies {
  documents: DocumentOverviews;
  saves: SaveOverviews;
  saveFiles: SaveFiles;
  forgotten: Pick<Forgotten, 'delete'>;
  forceSaves: Pick<ForceSaves, 'request'>;
  redelivery: Redelivery;
  actions: Actions;
}

const listSchema = z.object({ search: searchSchema, phase: wordsOf(savePhases), ...pageSchema });
const partSchema = z.enum(['file', 'base', 'changes']);
const confirmSchema = z.object({ confirm: z.string().default('') });

/** Saves: where they are, why they failed, and what can be done about one. */
export function savesRouter(dependencies: SavesRouterDependencies): Router {
  const { documents, saves, saveFiles, forgotten, actions } = dependencies;
  const router = Router();
  const find = async (request: Request): Promise<SaveOverview> => {
    const id = pathPart(request, 'id');
    const save = /^\d{1,18}$/.test(id) ? await found(saves.find(id)) : null;
    if (!save) throw new AdminError('unknown-save', `There is no save ${id}.`);
    return save;
  };

  router.get('/saves', async (request, response) => {
    const { search, phase, limit, offset } = read(listSchema, request.query);
    const gathered = new PartialAnswer();
    const [matching, counts] = await Promise.all([
      gathered.of('database', saves.search({ text: search, phases: phase, limit, offset })),
      gathered.of('database', documents.counts()),
    ]);
    const described = await saveFiles.describeAll(matching?.saves ?? [], gathered);
    response.json({
      total: matching?.total ?? 0,
      saves: described,
      assembling: counts?.assembling ?? 0,
      missing: gathered.missing,
    } satisfies SavesAnswer);
  });

  router.get('/saves/:id', async (request, response) => {
    const save = await find(request);
    response.json(await actions.done('files', () => saveFiles.describe(save)));
  });

  router.post('/saves/:id/retry', operatorsOnly, async (request, response) => {
    const state = await actions.done('database', async () => retry(dependencies, await find(request)));
    response.status(202).json({ state } satisfies SaveRequestAnswer);
  });

  // Only for those who may do everything: what is in a document can be read here.
  router.get('/saves/:id/:part', operatorsOnly, async (request, response) => {
    const save = await find(request);
    await download(dependencies, save, request.params.part, response);
  });

  router.delete('/saves/:id', operatorsOnly, async (request, response) => {
    const save = await find(request);
    const { confirm } = read(confirmSchema, request.query);
    if (save.phase !== 'forgotten') {
      throw new AdminError('not-forgotten', 'Only what is in forgotten storage can be discarded.');
    }
    if (confirm !== save.key) {
      throw new AdminError(
        'not-confirmed',
        `Repeat the key as confirm=${save.key}: its changes are lost then.`,
      );
    }
    await actions.done('database', () => forgotten.delete(save.key));
    response.json({ discarded: save.key });
  });
  return router;
}

/** Tries a save again, in the way of its phase. @throws AdminError when that is not possible */
async function retry(
  { forceSaves, redelivery }: Pick<SavesRouterDependencies, 'forceSaves' | 'redelivery'>,
  { id, key, phase }: SaveOverview,
): Promise<SaveRequestAnswer['state']> {
  switch (phase) {
    case 'forgotten':
      return redelivery.forgotten(key);
    case 'abandoned': {
      const asked = { key, type: ForceSaveType.command, initiator: null, userData: null };
      const { timeMs, inProgress } = await forceSaves.request(asked);
      if (timeMs !== null) return inProgress ? 'joined' : 'started';
      throw new AdminError('nothing-to-save', 'The document has nothing that could be saved now.');
    }
    default:
      return redelivery.waiting(id);
  }
}

/** Answers with a part of a save. @throws AdminError when it is not kept */
async function download(
  { saveFiles, actions }: Pick<SavesRouterDependencies, 'saveFiles' | 'actions'>,
  save: SaveOverview,
  part: unknown,
  response: Response,
): Promise<void> {
  const known = partSchema.safeParse(part);
  if (!known.success) {
    throw new AdminError('unknown-address', 'A save has the parts file, base and changes.');
  }
  const file = await actions.done('files', () => saveFiles.open(save, known.data));
  if (!file) throw new AdminError('no-file', `Of this save no ${known.data} is kept.`);
  response.set({
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(file.sizeBytes),
    'Content-Disposition': `attachment; filename="${file.name}"`,
  });
  if (file.content instanceof Uint8Array) response.end(file.content);
  else await pipeline(file.content, response);
}
