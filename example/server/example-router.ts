import { type Request, type RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { type ExampleSettings, personHeader } from '../api.ts';
import { Activity } from './activity.ts';
import { Callbacks } from './callbacks.ts';
import { ChangeFeed } from './change-feed.ts';
import { type Address, DocumentServer } from './document-server.ts';
import { DocumentStore, defaultLimits, type ExampleLimits } from './document-store.ts';
import { documentsRouter, versionsRouter } from './documents-router.ts';
import { fileTypes } from './file-kinds.ts';
import { openingRouter } from './opening-router.ts';
import { pagesRouter } from './pages-router.ts';
import { people, personOf } from './people.ts';
import { answerErrors, Refusal } from './refusal.ts';
import { Restoring } from './restoring.ts';
import { serverRouter } from './server-router.ts';
import { type SharedSecrets, Signature } from './signature.ts';
import { templates } from './templates/templates.ts';

interface ExampleOptions {
  /** Directory for documents; made when it is not there. */
  directory: string;
  /** Secrets shared with the document server. */
  secrets: SharedSecrets;
  /** Header that the document server sends its tokens in. */
  tokenHeader: string;
  documentServer: Address;
  /** Where this router is reached, its mount path included. */
  own: Address;
  /** Directory of the built pages. */
  webDirectory: string;
  /** File of the guide that the pages link to. */
  guide: string;
  limits?: Partial<ExampleLimits>;
  log: Logger;
}

/**
 * An integrator's application: it owns documents, lets made-up people open them with the document server's editors, and
 * keeps what comes back as versions. It uses the document server's public interface and nothing else. Anybody who reaches
 * it may do anything with its documents: it is for trying things out. Reads request bodies itself.
 */
export async function exampleRouter(options: ExampleOptions): Promise<Router> {
  const { directory, secrets, tokenHeader, own, webDirectory, guide, log } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const signature = new Signature(secrets);
  const documentServer = new DocumentServer(options.documentServer, signature);
  const activity = new Activity();
  const feed = new ChangeFeed();
  const onChange = (id: string) => feed.changed(id);
  const store = await DocumentStore.open(directory, limits, onChange, log);
  const callbacks = new Callbacks({
    store,
    activity,
    documentServer,
    signature,
    limits,
    onActivity: onChange,
    log,
  });
  const callbackUrl = (id: string) => `${own.forServers()}/callback/${id}`;
  const restoring = new Restoring(store, activity, documentServer, callbackUrl, limits.closingTimeoutMs);

  const api = Router();
  api.use(onlyOwnPages(own), noStore);
  api.get('/settings', async (request, response) => {
    const known = await documentServer.knownTypes();
    const isEdited = (type: string) => known === null || known.edited.includes(type);
    const settings: ExampleSettings = {
      people: [...people],
      // A button leads to an editor or is not there.
      templates: templates.filter(({ fileType }) => isEdited(fileType)),
      documentServer: options.documentServer.forBrowsers(request),
      maxFileBytes: limits.maxFileBytes,
      fileTypes: [...fileTypes],
      openedTypes: fileTypes.filter((type) => known === null || known.opened.includes(type)),
      editedTypes: fileTypes.filter(isEdited),
    };
    response.json(settings);
  });
  api.get('/events', (_request, response) => {
    if (!feed.add(response)) throw new Refusal('too-many', 'Too many pages are open.');
  });
  api.use('/documents', documentsRouter({ store, activity, documentServer, limits }));
  api.use('/documents', versionsRouter({ store, activity, restoring }));
  api.use('/documents', openingRouter({ store, own, signature }));
  api.use(() => {
    throw new Refusal('not-found', 'There is nothing at this address.');
  });

  const router = Router();
  router.use(serverRouter({ store, callbacks, signature, tokenHeader, log }));
  router.use('/api', api);
  router.use(pagesRouter({ webDirectory, guide }));
  router.use(answerErrors(log));
  return router;
}

const noStore: RequestHandler = (_request, response, next) => {
  response.set('cache-control', 'no-store');
  next();
};

/**
 * Lets requests that change something pass only from our own pages: browsers say where a request comes from, and the
 * header with the account cannot be sent by a foreign page without being asked first, which is refused.
 */
function onlyOwnPages(own: Address): RequestHandler {
  return (request, _response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    if (!isOwn(request, own)) {
      throw new Refusal('other-site', 'Changes are accepted from the pages of this application only.');
    }
    if (!personOf(request.get(personHeader))) {
      throw new Refusal('not-allowed', 'The request does not say which account it is for.');
    }
    next();
  };
}

function isOwn(request: Request, own: Address): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = request.get('origin');
  return origin === undefined || origin === new URL(own.forBrowsers(request)).origin;
}
