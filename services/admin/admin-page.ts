import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Router } from 'express';
import { staticFiles } from '../integration/web-pages.ts';

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
