import { type Request, Router } from 'express';
import type { Address } from './document-server.ts';
import type { DocumentStore } from './document-store.ts';
import { type ConfigAddresses, editorConfig, historyData, historyList } from './editor-config.ts';
import { personOf } from './people.ts';
import { Refusal } from './refusal.ts';
import type { Signature } from './signature.ts';

interface OpeningDependencies {
  store: DocumentStore;
  own: Address;
  signature: Signature;
}

const languageTag = /^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8})*$/;
const themeName = /^theme-[a-z-]{1,30}$/;

/** What editors are opened with, signed; and what their view of the history asks for. */
export function openingRouter({ store, own, signature }: OpeningDependencies): Router {
  const router = Router();
  const addresses = (request: Request): ConfigAddresses => ({
    forBrowsers: own.forBrowsers(request),
    forServers: own.forServers(),
  });

  router.get('/:id/config', async (request, response) => {
    const { as, mode, lang, theme, fit, version } = request.query;
    const person = personOf(as);
    if (!person) throw new Refusal('bad-request', 'There is no such account.');
    const record = store.get(request.params.id);
    const opening = {
      person,
      mode: mode === 'view' ? ('view' as const) : ('edit' as const),
      lang: matching(lang, languageTag) ?? 'en',
      theme: matching(theme, themeName) ?? 'theme-system',
      fitsWidth: fit === 'width',
      ...(version !== undefined && { version: store.version(record, Number(version)) }),
    };
    response.json(await editorConfig(record, opening, addresses(request), signature));
  });

  router.get('/:id/history', (request, response) => {
    response.json(historyList(store.get(request.params.id)));
  });

  router.get('/:id/history/:number', async (request, response) => {
    const record = store.get(request.params.id);
    const version = store.version(record, Number(request.params.number));
    response.json(await historyData(record, version, addresses(request), signature));
  });

  return router;
}

function matching(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}
