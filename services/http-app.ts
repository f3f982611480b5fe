import express, { type Express, type NextFunction, type Request, type Response, type Router } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';

/** Where the example application is. */
export const examplePath = '/example';

/** Largest body of a request to the API, bytes. */
const bodyBytes = 1_048_576;

const versionPrefix = /^\/\d+\.\d+\.\d+-[^/]+(?=\/)/;

export interface Routers {
  /** Path and router of the files, which set their own protective headers. */
  files: readonly [path: string, router: Router];
  /** Resources whose requests have bodies that are no JSON. */
  rawBodies: readonly Router[];
  metrics: Router | null;
  /** The example application, which reads its own bodies. */
  example: Router | null;
  routers: readonly Router[];
}

/**
 * The HTTP side of the server: the routers of the REST resources, behind an optional version prefix that browsers use
 * to cache static files (integration API, 2.1). Errors are answered as JSON and tell nothing about the inside.
 */
export function httpApp({ files, rawBodies, metrics, example, routers }: Routers, log: Logger): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use((request, _response, next) => {
    request.url = request.url.replace(versionPrefix, '');
    next();
  });
  app.use(...files);
  // Editors are framed by pages of other hosts, and files are fetched from there: that is what this server is for.
  app.use(
    helmet({
      contentSecurityPolicy: false,
      crossOriginResourcePolicy: false,
      crossOriginOpenerPolicy: false,
      frameguard: false,
      hsts: false,
    }),
  );
  if (metrics) app.use('/metrics', metrics);
  for (const router of rawBodies) app.use(router);
  if (example) app.use(examplePath, example);
  // Integrators' requests are JSON whatever their header says (integration API, 2.3).
  app.use(express.json({ limit: bodyBytes, type: () => true, strict: false }));
  for (const router of routers) app.use(router);
  app.use((_request, response) => {
    response.status(404).json({ error: 'not found' });
  });
  app.use((error: HttpError, request: Request, response: Response, _next: NextFunction) => {
    const status = error.status ?? 500;
    if (status >= 500) log.error({ err: error, path: request.path }, 'A request failed');
    if (response.headersSent) return void response.destroy();
    response.status(status).json({ error: status >= 500 ? 'internal error' : error.message });
  });
  return app;
}

interface HttpError extends Error {
  status?: number;
}
