import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Config } from '../../platform/config.ts';
import { baseUrl } from '../http/base-url.ts';
import type { ThirdPartyEditors } from './third-party-editors.ts';
import { staticFiles } from './web-pages.ts';

const folders = ['web-apps', 'sdkjs', 'sdkjs-plugins', 'fonts', 'dictionaries'];
const serviceWorker = 'document_editor_service_worker.js';

/** Pages of the editors. The script of the embedding page has one address for all versions. */
const editorPage = /^\/web-apps\/apps\/(?!api\/documents\/api\.js|quire\/)[^?]+\.html$/;

/** Whether a request came with a version prefix, which `httpApp` has taken off. */
const isVersioned = ({ originalUrl, url, baseUrl: mounted }: Request): boolean =>
  originalUrl !== mounted + url;

/**
 * The editors of `EDITORS_DIR` (integration API, 2.1): their pages are redirected to an address with the version prefix,
 * and what is fetched from below it is cached for a year.
 */
export function thirdPartyPagesRouter(
  editors: ThirdPartyEditors,
  config: Pick<Config, 'publicUrl' | 'trustProxy'>,
): Router {
  const router = Router();
  router.get('/plugins.json', (_request, response) => {
    const pluginsData = editors.plugins.map((name) => `../../../../sdkjs-plugins/${name}/config.json`);
    response.json({ url: '', pluginsData, autostart: [] });
  });
  router.get('/themes.json', (_request, response) => {
    response.json({ themes: editors.themes });
  });
  router.get(`/${serviceWorker}`, (_request, response, next) => {
    const file = [serviceWorker, `sdkjs/common/serviceworker/${serviceWorker}`].find((name) =>
      existsSync(path.join(editors.directory, name)),
    );
    if (!file) return next();
    response.sendFile(file, {
      root: editors.directory,
      acceptRanges: false,
      headers: { 'Cache-Control': 'no-cache' },
    });
  });
  router.get(editorPage, (request, response, next) => {
    if (isVersioned(request)) return next();
    response.redirect(302, `${baseUrl(request, config)}/${editors.prefix}${request.url}`);
  });
  for (const folder of folders) {
    const directory = path.join(editors.directory, folder);
    if (existsSync(directory)) router.use(`/${folder}`, withCaching(directory));
  }
  return router;
}

/** Serves files, compressed where a compressed copy lies beside them. */
function withCaching(directory: string): RequestHandler {
  const serve = staticFiles(directory, {
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders: ((response: Response) => {
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('Cache-Control', response.locals.cacheControl as string);
    }) as never,
  });
  return (request, response, next) => {
    response.locals.cacheControl = isVersioned(request) ? 'public, max-age=31536000, immutable' : 'no-cache';
    serve(request, response, next);
  };
}
