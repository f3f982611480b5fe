import { Router } from 'express';
import type { Config } from '../../platform/config.ts';
import { baseUrl } from '../http/base-url.ts';

/** Small answers that integrators and editors ask for (integration API, 2.1). */
export function staticRouter(config: Pick<Config, 'publicUrl' | 'trustProxy'>): Router {
  const router = Router();
  router.post('/dummyCallback', (_request, response) => {
    response.json({ error: 0 });
  });
  router.get('/plugins.json', (_request, response) => {
    response.json({ url: '', pluginsData: [], autostart: [] });
  });
  router.get('/themes.json', (_request, response) => {
    response.json({ themes: [] });
  });
  router.get('/robots.txt', (_request, response) => {
    response.type('text/plain').send('User-agent: *\nDisallow: /\n');
  });
  router.get('/baseurl', (request, response) => {
    response.type('text/plain').send(baseUrl(request, config));
  });
  return router;
}
