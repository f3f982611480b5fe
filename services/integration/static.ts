import { Router } from 'express';

/** Small fixed answers that integrators and editors ask for. */
export function staticRouter(): Router {
  const router = Router();
  router.post('/dummyCallback', (_request, response) => {
    response.json({ error: 0 });
  });
  router.get('/plugins.json', (_request, response) => {
    response.json({ url: '', pluginsData: [], autostart: [] });
  });
  router.get('/robots.txt', (_request, response) => {
    response.type('text/plain').send('User-agent: *\nDisallow: /\n');
  });
  return router;
}
