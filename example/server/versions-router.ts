import { type Response, Router } from 'express';
import type { Activity } from './activity.ts';
import type { DocumentStore } from './document-store.ts';
import { mediaTypeOf } from './file-kinds.ts';
import { editorOf } from './people.ts';
import { type DocumentRecord, documentSummary, fileName, latest, type Version } from './records.ts';
import type { Restoring } from './restoring.ts';

interface VersionsDependencies {
  store: DocumentStore;
  activity: Activity;
  restoring: Restoring;
}

/** The versions of a document: their files, and going back to one. */
export function versionsRouter({ store, activity, restoring }: VersionsDependencies): Router {
  const router = Router();

  router.get('/:id/versions/:number/file', async (request, response) => {
    const record = store.get(request.params.id);
    const version = store.version(record, Number(request.params.number));
    await sendVersion(response, store, record, version);
  });

  router.post('/:id/versions/:number/restore', async (request, response) => {
    const by = editorOf(request);
    const record = await restoring.restore(request.params.id, Number(request.params.number), by);
    response.json(documentSummary(record, activity));
  });

  return router;
}

/** Sends a version as a download; an earlier one says its number in the file's name. */
async function sendVersion(
  response: Response,
  store: DocumentStore,
  record: DocumentRecord,
  version: Version,
): Promise<void> {
  const { fileType, number } = version;
  const title = version === latest(record) ? record.title : `${record.title} (version ${number})`;
  response.attachment(fileName({ title, fileType }));
  response.type(mediaTypeOf(fileType)).set('cache-control', 'no-store');
  response.send(await store.read(record, version));
}
