import { pipeline } from 'node:stream/promises';
import { Router } from 'express';
import { z } from 'zod';
import { ForceSaveType } from '../../client/protocol/index.ts';
import type { DocumentOverviews } from '../../db/document-overview.ts';
import type { Forgotten } from '../../db/forgotten.ts';
import { type SaveOverview, type SaveOverviews, savePhases } from '../../db/save-overview.ts';
import type { ForceSaves } from '../lifecycle/force-saves.ts';
import { AdminError } from './admin-error.ts';
import type { SaveRequestAnswer, SavesAnswer } from './api.ts';
import { operatorsOnly } from './api-rights.ts';
import type { Redelivery } from './redelivery.ts';
import { pageSchema, pathPart, read, searchSchema, wordsOf } from './request-reading.ts';
import type { SaveFiles } from './save-files.ts';

export interface SavesRouterDependencies {
  documents: DocumentOverviews;
  saves: SaveOverviews;
  saveFiles: SaveFiles;
  forgotten: Pick<Forgotten, 'delete'>;
  forceSaves: Pick<ForceSaves, 'request'>;
  redelivery: Redelivery;
}

const listSchema = z.object({ search: searchSchema, phase: wordsOf(savePhases), ...pageSchema });
const partSchema = z.enum(['file', 'base', 'changes']);
const confirmSchema = z.object({ confirm: z.string().default('') });

/** Saves: where they are, why they failed, and what can be done about one. */
export function savesRouter(dependencies: SavesRouterDependencies): Router {
  const { documents, saves, saveFiles, forgotten, forceSaves, redelivery } = dependencies;
  const router = Router();
  const find = async (id: string): Promise<SaveOverview> => {
    const save = /^\d{1,18}$/.test(id) ? await saves.find(id) : null;
    if (!save) throw new AdminError('unknown-save', `There is no save ${id}.`);
    return save;
  };

  router.get('/saves', async (request, response) => {
    const { search, phase, limit, offset } = read(listSchema, request.query);
    const [found, counts] = await Promise.all([
      saves.search({ text: search, phases: phase, limit, offset }),
      documents.counts(),
    ]);
    response.json({
      total: found.total,
      saves: await Promise.all(found.saves.map((save) => saveFiles.describe(save))),
      assembling: counts.assembling ?? 0,
    } satisfies SavesAnswer);
  });

  router.get('/saves/:id', async (request, response) => {
    response.json(await saveFiles.describe(await find(pathPart(request, 'id'))));
  });

  router.post('/saves/:id/retry', operatorsOnly, async (request, response) => {
    const save = await find(pathPart(request, 'id'));
    const state = await retry(save);
    response.status(202).json({ state } satisfies SaveRequestAnswer);
  });

  async function retry({ id, key, phase }: SaveOverview): Promise<SaveRequestAnswer['state']> {
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

  // What is in a document is read here, so that this is for those who may do everything.
  router.get('/saves/:id/:part', operatorsOnly, async (request, response) => {
    const save = await find(pathPart(request, 'id'));
    const part = partSchema.safeParse(request.params.part);
    if (!part.success)
      throw new AdminError('unknown-address', 'A save has the parts file, base and changes.');
    const file = await saveFiles.open(save, part.data);
    if (!file) throw new AdminError('no-file', `Of this save no ${part.data} is kept.`);
    response.set({
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(file.sizeBytes),
      'Content-Disposition': `attachment; filename="${file.name}"`,
    });
    if (file.content instanceof Uint8Array) response.end(file.content);
    else await pipeline(file.content, response);
  });

  router.delete('/saves/:id', operatorsOnly, async (request, response) => {
    const save = await find(pathPart(request, 'id'));
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
    await forgotten.delete(save.key);
    response.json({ discarded: save.key });
  });
  return router;
}
