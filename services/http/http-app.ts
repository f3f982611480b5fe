import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { DatabaseBusyError } from '../../db/pool.ts';
import { errorLevel } from '../../platform/quire-error.ts';
import { filteredPaths } from './address-rights.ts';
import { withoutVersionPrefix } from './base-url.ts';

/** Where the example application is. */
export const examplePath = '/example';

interface Routers {
  /** Refuses callers who may not use the API, before their request is read. */
  callers: RequestHandler | null;
  /** Counts every request. */
  requestMetrics: RequestHandler | null;
  /** The files, which set their own protective headers. */
  files: Router;
  metrics: Router | null;
  /** The example application. */
  example: Router | null;
  routers: readonly Router[];
}

/**
 * The HTTP side of the server: the routers of the REST resources, behind an optional version prefix that browsers use
 * to cache static files (integration API, 2.1). Errors are answered as JSON, without details of the server's inside.
 */
export function httpApp(
  { callers, requestMetrics, files, metrics, example, routers }: Routers,
  log: Logger,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use((request, _response, next) => {
    request.url = withoutVersionPrefix(request.url).url;
    next();
  });
  if (requestMetrics) app.use(requestMetrics);
  app.use(files);
  // Pages of other sites have to frame editors and to fetch files.
  app.use(
    helmet({
      contentSecurityPolicy: false,
      crossOriginResourcePolicy: false,
      crossOriginOpenerPolicy: false,
      frameguard: false,
      hsts: false,
    }),
  );
  if (callers) app.use([...filteredPaths], callers);
  if (metrics) app.use(metrics);
  if (example) app.use(examplePath, example);
  for (const router of routers) app.use(router);
  app.use((_request, response) => {
    response.status(404).json({ error: 'not found' });
  });
  app.use((error: HttpError, request: Request, response: Response, _next: NextFunction) => {
    // An address with wrong percent signs names no document.
    const status = error instanceof URIError ? 403 : (error.status ?? 500);
    if (error instanceof DatabaseBusyError) {
      log[error.level](
        { err: error, path: request.path },
        'A request found no free connection to the database',
      );
      if (response.headersSent) return void response.destroy();
      return void response.status(503).set('Retry-After', '2').json({ error: 'database busy' });
    }
    if (status >= 500) log[errorLevel(error)]({ err: error, path: request.path }, 'A request failed');
    if (response.headersSent) return void response.destroy();
    response.status(status).json({ error: status >= 500 ? 'internal error' : error.message });
  });
  return app;
}

interface HttpError extends Error {
  status?: number;
}
