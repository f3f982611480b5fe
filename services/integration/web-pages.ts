import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import sirv, { type Options } from 'sirv';
import { type KindName, kinds, pageOf } from '../../model/kinds.ts';
import { packageRoot } from '../../platform/package-root.ts';
import { Routes } from '../http/routes.ts';

/** The pages that browsers load. */
export const webDirectory = path.join(packageRoot, 'dist', 'web');
const scriptDirectory = path.join(packageRoot, 'dist', 'embed');

/** The routes of the integration API at which pages and the script of the embedding page are found. */
const pagesRoute = 'ALL /web-apps/apps/quire';
const scriptRoute = 'ALL /web-apps/apps/api/documents';
/** Where the script is also while `EDITORS_DIR` has another one at that address. */
const ownScriptRoute = 'ALL /web-apps/apps/quire/api/documents';

/** Names of files under `assets/` hold a hash of their content. */
const isImmutable = (file: string): boolean => file.includes(`${path.sep}assets${path.sep}`);

/**
 * Editors run in frames on pages of any host. Scripts come from this server alone; pictures and the connection may
 * belong to its other addresses.
 */
const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'img-src * data: blob:',
  'connect-src *',
  "object-src 'none'",
  "base-uri 'none'",
  'frame-ancestors *',
].join('; ');

/**
 * The workers that read PDFs, calculate spreadsheets and draw metafiles have a policy of their own: they may compile WebAssembly of this
 * server, which pages may not, make no code of text, and reach nothing but this server.
 */
const workerPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "font-src 'self'",
].join('; ');
const isWorker = (file: string): boolean =>
  /[/\\](?:pdf\.worker[^/\\]*\.mjs|(?:calculation|metafile)-worker[^/\\]*\.js)$/.test(file);

/** The editors' pages and `api.js`, compressed by the build (integration API, 2.1 and 3.1). */
export function webPagesRouter(): Router {
  const areBuilt = existsSync(webDirectory) && existsSync(scriptDirectory);
  const filesOf = (directory: string): RequestHandler =>
    areBuilt ? staticFiles(directory, { brotli: true, gzip: true, etag: true, setHeaders }) : notBuilt;
  const pages = filesOf(webDirectory);
  const scripts = filesOf(scriptDirectory);
  const routes = new Routes();
  // The page of operators is served where operators are, and nowhere else.
  routes.on('ALL /web-apps/apps/quire/admin', (_request, response) => {
    response.status(404).json({ error: 'not found' });
  });
  routes.on(pagesRoute, (request, response, _found, next) => pages(request, response, next));
  for (const route of [scriptRoute, ownScriptRoute] as const)
    routes.on(route, (request, response, _found, next) => scripts(request, response, next));
  return routes.router;
}

const notBuilt: RequestHandler = (_request, response) => {
  response.status(503).json({ error: 'The editors are not built: run `npm run build`.' });
};

const setHeaders = ((response: Response, file: string): void => {
  response.setHeader(
    'Cache-Control',
    isImmutable(path.normalize(file)) ? 'public, max-age=31536000, immutable' : 'no-cache',
  );
  if (file.endsWith('.html')) response.setHeader('Content-Security-Policy', policy);
  else if (isWorker(file)) response.setHeader('Content-Security-Policy', workerPolicy);
  else response.setHeader('Access-Control-Allow-Origin', '*');
}) as never;

/**
 * Serves the files of a directory, compressed where a compressed copy lies beside them. Always whole ones: pages and
 * scripts are small, nobody asks for a part of one, and a server may leave a range out of account (RFC 9110, 14.2). `sirv`
 * takes any text for a range and fails half-way through its answer.
 */
export function staticFiles(directory: string, options: Options): RequestHandler {
  const router = Router();
  router.use(
    (request, _response, next) => {
      delete request.headers.range;
      next();
    },
    sirv(directory, options),
  );
  return router;
}

/** Which kind of documents each editor of the ONLYOFFICE family is for. */
const editors = {
  documenteditor: 'word',
  spreadsheeteditor: 'cell',
  presentationeditor: 'slide',
  pdfeditor: 'pdf',
  visioeditor: 'diagram',
} as const satisfies Record<string, KindName>;

/** What the folder of a page says about how the document is shown. */
const types = { main: 'desktop', mobile: 'mobile', embed: 'embedded', forms: 'desktop' } as const;

const pattern = new RegExp(
  `^/web-apps/apps/(${Object.keys(editors).join('|')})/(${Object.keys(types).join('|')})/index(?:_loader)?\\.html$`,
);

/**
 * The addresses at which the editors of the family have their pages (integration API, 3.2), for those who ask for them
 * without `api.js`, such as load tests: they lead to this server's page of that kind, or to the one that shows what has no
 * editor. The way there is relative, so that sub-path and version prefix stay.
 */
export function editorPagesRouter(): Router {
  const routes = new Routes();
  const lead = (request: Request, response: Response): void => {
    const [app, folder] = [request.params[0], request.params[1]] as [
      keyof typeof editors,
      keyof typeof types,
    ];
    const kind = editors[app];
    const query = new URLSearchParams(/\?(.*)$/s.exec(request.url)?.[1]);
    query.set('documentType', kind);
    if (!query.has('type')) query.set('type', types[folder]);
    const page = pageOf(kinds.named(kind)!);
    response.set('Cache-Control', 'no-cache').redirect(302, `../../quire/${page}/index.html?${query}`);
  };
  return routes.on('GET /web-apps/apps/:editor/:folder/:page', lead, pattern).router;
}
