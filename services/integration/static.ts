import type { Router } from 'express';
import type { Config } from '../../platform/config.ts';
import { baseUrl } from '../http/base-url.ts';
import { Routes } from '../http/routes.ts';

/** Small answers that integrators and editors ask for (integration API, 2.1). */
export function staticRouter(config: Pick<Config, 'publicUrl' | 'trustProxy'>): Router {
  const routes = new Routes();
  routes.on('POST /dummyCallback', (_request, response) => {
    response.json({ error: 0 });
  });
  routes.on('GET /plugins.json', (_request, response) => {
    response.json({ url: '', pluginsData: [], autostart: [] });
  });
  routes.on('GET /themes.json', (_request, response) => {
    response.json({ themes: [] });
  });
  routes.on('GET /robots.txt', (_request, response) => {
    response.type('text/plain').send('User-agent: *\nDisallow: /\n');
  });
  routes.on('GET /baseurl', (request, response) => {
    response.type('text/plain').send(baseUrl(request, config));
  });
  return routes.router;
}
