import type { Response, Router } from 'express';
import { isEditor } from '../coauthoring/document/member.ts';
import type { DocumentRegistry } from '../coauthoring/registry.ts';
import { ofThisMachine } from '../http/caller.ts';
import { Routes } from '../http/routes.ts';
import type { Drain } from '../lifecycle/drain.ts';
import type { Retirement } from '../lifecycle/retirement.ts';

/** Each answer is true now. */
const plain = (response: Response): Response => response.set('Cache-Control', 'no-store').type('text/plain');
const say = (response: Response, answer: unknown): void => void plain(response).send(String(answer));

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
  const routes = new Routes({ judges: { 'own machine': ofThisMachine }, strict: true });
  routes
    .on('GET /internal/cluster/inactive', (_request, response) => say(response, retirement.isBegun))
    .on('PUT /internal/cluster/inactive', async (_request, response) => {
      say(response, await retirement.begin());
    })
    .on('DELETE /internal/cluster/inactive', (_request, response) => {
      retirement.cancel();
      say(response, true);
    })
    .on('PUT /internal/cluster/pre-stop', (_request, response) => {
      retirement.announce();
      say(response, true);
    })
    .on('DELETE /internal/cluster/pre-stop', (_request, response) => {
      retirement.announce(false);
      say(response, true);
    })
    .on('GET /internal/cluster/drain', (_request, response) => {
      const { isDraining, connectionsLeft } = drain.state();
      say(response, isDraining && connectionsLeft === 0);
    })
    .on('PUT /internal/cluster/drain', (_request, response) => {
      drain.begin();
      say(response, true);
    })
    .on('DELETE /internal/cluster/drain', (_request, response) => {
      drain.cancel();
      say(response, true);
    })
    .on('GET /internal/cluster/ready', (_request, response) => {
      say(response, !drain.isBegun && !retirement.isAnnounced);
    })
    .on('GET /internal/connections/edit', (_request, response) => {
      const editors = [...registry.actors()].flatMap(({ document }) =>
        [...document.members.values()].filter(isEditor),
      );
      say(response, editors.length);
    })
    // Others are not told what there is not.
    .on('ALL /internal', (_request, response, _found, next) => {
      plain(response);
      next();
    });
  return routes.router;
}
