import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import express, { type Express, type NextFunction, type Request, type Response, Router } from 'express';
import helmet from 'helmet';
import type { Logger } from '../../platform/log.ts';
import { staticFiles } from '../integration/web-pages.ts';
import { AdminError } from './admin-error.ts';
import type { ErrorAnswer } from './api.ts';

const bodyBytes = 65_536;
/** Path of the administration on its port. */
export const adminPath = '/admin';

/** Pages load nothing from other sites, and other sites cannot frame them. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  },
};

/** The administration as an application of its own, whose addresses are relative: a proxy may put it under any path. */
export function adminApp(api: Router, page: Router, log: Logger): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  // Only this spelling is answered, so a proxy that refuses this path refuses all of it.
  app.enable('case sensitive routing');
  // TLS, if there is any, ends at a proxy.
  app.use(helmet({ contentSecurityPolicy, hsts: false, referrerPolicy: { policy: 'no-referrer' } }));
  app.get('/', (_request, response) => response.redirect(302, `${adminPath.slice(1)}/`));
  const admin = express.Router({ strict: true });
  admin.use('/api', (_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  admin.use('/api', express.json({ limit: bodyBytes, strict: true, inflate: false }), api);
  admin.use(page);
  app.use(adminPath, admin);
  app.use((_request, _response, next) => next(new AdminError('unknown-address', 'There is nothing here.')));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const refusal = refusalOf(error);
    if (refusal.code === 'internal')
      log.error({ err: error, path: request.path }, 'An administration request failed');
    if (response.headersSent) return void response.destroy();
    if (refusal.retryAfterS !== undefined) response.set('Retry-After', String(refusal.retryAfterS));
    const { code, message, part } = refusal;
    response.status(refusal.status).json({ error: { code, message, part } } satisfies ErrorAnswer);
  });
  return app;
}

/** An error as it is answered: nothing of the inside goes out. */
function refusalOf(error: unknown): AdminError {
  if (error instanceof AdminError) return error;
  // From the parser of bodies, or an address with wrong percent signs.
  const status = error instanceof URIError ? 400 : (error as { status?: number }).status;
  if (status !== undefined && status >= 400 && status < 500) {
    return new AdminError('bad-request', 'The request cannot be read.');
  }
  return new AdminError('internal', 'It did not work; the log of the server says why.');
}

/** The page of the administration, built once with the other pages, and the scripts that it shares with them. */
export function adminPage(webDirectory: string): Router {
  const router = Router({ strict: true });
  const file = path.join(webDirectory, 'admin', 'index.html');
  router.get('/', async (request, response) => {
    // The page names its scripts relative to an address that ends in a slash.
    if (!request.originalUrl.split('?')[0]!.endsWith('/')) return response.redirect(302, 'admin/');
    const html = await readFile(file, 'utf8').catch(() => null);
    if (html === null) {
      const sentence = 'The page is not built yet: run `npm run build`. `quire admin` works without it.';
      return void response.status(503).type('text/plain').send(sentence);
    }
    response.type('html').set('cache-control', 'no-cache');
    response.send(html.replaceAll('"../assets/', '"assets/'));
  });
  const assets = path.join(webDirectory, 'assets');
  const options = { brotli: true, gzip: true, immutable: true, maxAge: 31_536_000 };
  if (existsSync(assets)) router.use('/assets', staticFiles(assets, options));
  return router;
}
