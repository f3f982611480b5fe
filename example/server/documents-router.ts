import express, { type Response, Router } from 'express';
import { z } from 'zod';
import type { Activity } from './activity.ts';
import type { DocumentServer } from './document-server.ts';
import type { DocumentStore, ExampleLimits } from './document-store.ts';
import { mediaTypeOf, splitFileName } from './file-kinds.ts';
import { editorOf } from './people.ts';
import {
  type DocumentRecord,
  documentSummary,
  fileName,
  latest,
  type Version,
  versionSummary,
} from './records.ts';
import { Refusal } from './refusal.ts';
import type { Restoring } from './restoring.ts';
import { fromTemplate } from './templates/templates.ts';

interface DocumentsDependencies {
  store: DocumentStore;
  activity: Activity;
  documentServer: DocumentServer;
  limits: ExampleLimits;
}

const newDocument = z.object({ template: z.string(), title: z.string() });
const newTitle = z.object({ title: z.string() });
const savedCopy = z.object({ url: z.string(), title: z.string(), fileType: z.string() });

/** Documents: listed, made from templates, uploads and copies, renamed, deleted and brought back. */
export function documentsRouter(dependencies: DocumentsDependencies): Router {
  const { store, activity, documentServer } = dependencies;
  const router = Router();
  const summary = (record: DocumentRecord) => documentSummary(record, activity);
  /** The editors are notified, but the change does not depend on their server. */
  const notify = (command: Parameters<DocumentServer['command']>[0]) => {
    documentServer.command(command).catch(() => undefined);
  };

  router.get('/', (_request, response) => {
    response.json({ documents: store.list().map(summary) });
  });

  router.use(newDocumentsRouter(dependencies));

  router.get('/:id', (request, response) => {
    const record = store.get(request.params.id);
    response.json({
      document: summary(record),
      versions: record.versions.map(versionSummary).reverse(),
      callbacks: [...record.callbacks].reverse(),
    });
  });

  router.patch('/:id', express.json({ inflate: false }), async (request, response) => {
    editorOf(request);
    const record = await store.rename(request.params.id, parsed(newTitle, request.body).title);
    notify({ c: 'meta', key: record.session.key, meta: { title: fileName(record) } });
    response.json(summary(record));
  });

  router.delete('/:id', async (request, response) => {
    editorOf(request);
    const record = await store.delete(request.params.id);
    notify({ c: 'drop', key: record.session.key });
    response.json(summary(record));
  });

  router.post('/:id/undelete', async (request, response) => {
    editorOf(request);
    response.json(summary(await store.undelete(request.params.id)));
  });

  return router;
}

/** The ways to a new document: a template, an upload, a copy that an editor has made. */
function newDocumentsRouter({ store, activity, documentServer, limits }: DocumentsDependencies): Router {
  const router = Router();
  const summary = (record: DocumentRecord) => documentSummary(record, activity);

  router.post('/', express.json({ inflate: false }), async (request, response) => {
    const by = editorOf(request);
    const { template, title } = parsed(newDocument, request.body);
    const made = fromTemplate(template, title);
    if (!made) throw new Refusal('bad-request', 'There is no such template.');
    const record = await store.create({ title, ...made, by: named(by), origin: 'created' });
    response.status(201).json(summary(record));
  });

  const upload = express.raw({ type: () => true, limit: limits.maxFileBytes, inflate: false });
  router.post('/upload', upload, async (request, response) => {
    const by = editorOf(request);
    const { title, fileType } = splitFileName(String(request.query.name ?? ''));
    // Without a body there is nothing to read, and what is left is an empty object.
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const record = await store.create({ title, fileType, bytes, by: named(by), origin: 'uploaded' });
    response.status(201).json(summary(record));
  });

  router.post('/copy', express.json({ inflate: false }), async (request, response) => {
    const by = editorOf(request);
    const { url, title, fileType } = parsed(savedCopy, request.body);
    const bytes = await documentServer.download(url, limits.maxFileBytes);
    const bare = title.toLowerCase().endsWith(`.${fileType}`) ? title.slice(0, -fileType.length - 1) : title;
    const record = await store.create({ title: bare, fileType, bytes, by: named(by), origin: 'copied' });
    response.status(201).json(summary(record));
  });

  return router;
}

function named({ id, name }: { id: string; name: string }): { id: string; name: string } {
  return { id, name };
}

function parsed<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const result = schema.safeParse(body);
  if (!result.success) throw new Refusal('bad-request', 'The request is malformed.');
  return result.data;
}

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
