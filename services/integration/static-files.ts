import { type RequestHandler, Router } from 'express';
import sirv, { type Options } from 'sirv';

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
