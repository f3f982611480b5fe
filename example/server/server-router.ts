import express, { type ErrorRequestHandler, type Request, Router } from 'express';
import type { Logger } from 'pino';
import type { Callbacks } from './callbacks.ts';
import type { DocumentStore } from './document-store.ts';
import { Refusal } from './refusal.ts';
import type { Signature } from './signature.ts';

/** The history of a callback names every change, and it comes twice: plain and in the token. */
const callbackBytes = 8_388_608;

interface ServerDependencies {
  store: DocumentStore;
  callbacks: Callbacks;
  signature: Signature;
  /** Header that the document server sends its token in. */
  tokenHeader: string;
  log: Logger;
}

/**
 * What the document server asks for: the files of documents, and to deliver callbacks. Everything it sends is signed.
 */
export function serverRouter({ store, callbacks, signature, tokenHeader, log }: ServerDependencies): Router {
  const router = Router();

  router.get('/storage/:id/:file', async (request, response) => {
    const claims = await signature.verifyHeader(request.get(tokenHeader));
    if (!isFor(request, claims)) {
      throw new Refusal('not-allowed', 'Files are given to the document server only.');
    }
    const { id, file } = request.params;
    const record = store.find(id);
    const named = record.versions.some((one) => one.file === file || one.changesFile === file);
    if (!named) throw new Refusal('not-found', 'There is no such file.');
    // A record names it: a hidden folder above says nothing about the file.
    const options = { cacheControl: false, acceptRanges: false, dotfiles: 'allow' } as const;
    response.type('application/octet-stream').sendFile(store.pathOf(record, file), options);
  });

  const json = express.json({ limit: callbackBytes, type: () => true, inflate: false });
  router.post('/callback/:id', json, async (request, response) => {
    await callbacks.receive(request.params.id, request.body);
    response.json({ error: 0 });
  });
  // The document server takes anything but `{"error":0}` for a refusal; the text is for its log.
  const answerCallback: ErrorRequestHandler = (
    error: Error & { status?: number },
    _request,
    response,
    _next,
  ) => {
    log.warn({ err: error }, 'The example did not accept a callback');
    const message = error instanceof Refusal ? error.message : 'the callback could not be stored';
    response.status(error.status ?? 500).json({ error: 1, message });
  };
  router.use('/callback', answerCallback);
  return router;
}

/** Whether a token was made for fetching this address (integration API, 12.5). */
function isFor(request: Request, claims: Record<string, unknown> | null): boolean {
  const url = (claims?.payload as { url?: unknown } | undefined)?.url;
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  return new URL(url).pathname === request.originalUrl.split('?')[0];
}
