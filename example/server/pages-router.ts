import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type RequestHandler, Router } from 'express';
import sirv from 'sirv';
import { avatarSvg, personOf } from './people.ts';
import { Refusal } from './refusal.ts';

interface PagesDependencies {
  /** Directory of the built pages. */
  webDirectory: string;
  /** File of the guide that says how this is made. */
  guide: string;
}

/** Nothing is loaded from elsewhere, and nothing of ours is framed by others. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Scripts are served whole: `sirv` fails over ranges that are none. */
const withoutRange: RequestHandler = (request, _response, next) => {
  delete request.headers.range;
  next();
};

/** The pages that people see, which are built once and served as files. */
export function pagesRouter({ webDirectory, guide }: PagesDependencies): Router {
  const router = Router({ strict: true });
  const page = path.join(webDirectory, 'example', 'index.html');

  router.get('/', async (request, response) => {
    // The page names its scripts relative to an address that ends in a slash.
    if (!request.originalUrl.split('?')[0]!.endsWith('/')) return response.redirect(302, 'example/');
    const html = await readFile(page, 'utf8').catch(() => null);
    if (html === null) {
      return void response
        .status(503)
        .type('text/plain')
        .send('The pages are not built yet: run `npm start`.');
    }
    response
      .type('html')
      .set({ 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-cache' });
    // Built beside the other pages, with the scripts they share one folder up.
    response.send(html.replaceAll('"../assets/', '"assets/'));
  });
  const assets = { brotli: true, gzip: true, immutable: true, maxAge: 31_536_000 };
  const assetsDirectory = path.join(webDirectory, 'assets');
  // Before the pages are built there is nothing to serve; the page itself says so.
  if (existsSync(assetsDirectory)) router.use('/assets', withoutRange, sirv(assetsDirectory, assets));

  router.get('/people/:name', (request, response) => {
    const person = personOf(request.params.name.replace(/\.svg$/, ''));
    if (!person) throw new Refusal('not-found', 'There is no such account.');
    response.type('image/svg+xml').set('cache-control', 'public, max-age=3600').send(avatarSvg(person));
  });

  router.get('/integration.md', (_request, response) => {
    // As plain text: browsers show it instead of offering to save it.
    response.type('text/plain; charset=utf-8').sendFile(guide, { dotfiles: 'allow', acceptRanges: false });
  });
  return router;
}
