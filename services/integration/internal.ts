import { type RequestHandler, Router } from 'express';
import { isEditor } from '../coauthoring/document/member.ts';
import type { DocumentRegistry } from '../coauthoring/registry.ts';
import { isLocalCaller } from '../http/caller.ts';
import type { Drain } from '../lifecycle/drain.ts';
import type { Retirement } from '../lifecycle/retirement.ts';

const onlyLocal: RequestHandler = (request, response, next) => {
  if (isLocalCaller(request)) return next();
  response.status(403).json({ error: 'local callers only' });
};

/**
 * What operators do on the machine itself (integration API, 11.6), with `true` or `false` as text:
 * - `PUT|DELETE|GET /internal/cluster/inactive`: send everybody away and wait until their work is delivered; take people
 *   in again; say which of both holds.
 * - `PUT|DELETE /internal/cluster/pre-stop`: health checks say no, or again yes, and nothing else changes.
 * - `PUT|DELETE|GET /internal/cluster/drain`: send everybody to the other nodes, a few at a time, while they go on editing;
 *   take people in again; say whether everybody has left.
 * - `GET /internal/cluster/ready`: whether people may be sent here, whatever the state of what all nodes share: taking every
 *   node out because a database or a bucket is away would only cut off those who edit.
 * - `GET /internal/connections/edit`: the number of editors that are connected.
 */
export function internalRouter(retirement: Retirement, drain: Drain, registry: DocumentRegistry): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use('/internal', onlyLocal, (_request, response, next) => {
    response.set('Cache-Control', 'no-store').type('text/plain');
    next();
  });
  router
    .route('/internal/cluster/inactive')
    .get((_request, response) => void response.send(String(retirement.isBegun)))
    .put(async (_request, response) => void response.send(String(await retirement.begin())))
    .delete((_request, response) => {
      retirement.cancel();
      response.send('true');
    });
  router
    .route('/internal/cluster/pre-stop')
    .put((_request, response) => {
      retirement.announce();
      response.send('true');
    })
    .delete((_request, response) => {
      retirement.announce(false);
      response.send('true');
    });
  router
    .route('/internal/cluster/drain')
    .get((_request, response) => {
      const { isDraining, connectionsLeft } = drain.state();
      response.send(String(isDraining && connectionsLeft === 0));
    })
    .put((_request, response) => {
      drain.begin();
      response.send('true');
    })
    .delete((_request, response) => {
      drain.cancel();
      response.send('true');
    });
  router.get('/internal/cluster/ready', (_request, response) => {
    response.send(String(!drain.isBegun && !retirement.isAnnounced));
  });
  router.get('/internal/connections/edit', (_request, response) => {
    const editors = [...registry.actors()].flatMap(({ document }) =>
      [...document.members.values()].filter(isEditor),
    );
    response.send(String(editors.length));
  });
  return router;
}
