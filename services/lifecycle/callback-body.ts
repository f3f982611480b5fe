import { CallbackAction, CallbackStatus } from '../../client/protocol/index.ts';
import { isForced, type SaveRow } from '../../db/save-row.ts';
import type { Claims } from '../../platform/secrets/tokens.ts';
import type { FileLinks } from '../http/file-links.ts';
import { routingOfDocument } from '../http/routing.ts';

/** Body of a callback with status 1: who edits now, and who came or went (integration API, 7.2). */
export function editingBody(
  key: string,
  editors: readonly string[],
  action: { type: number; userId: string } | null,
): Claims {
  return {
    key,
    status: CallbackStatus.editing,
    users: editors,
    ...(action ? { actions: [{ type: action.type, userid: action.userId }] } : {}),
  };
}

/** Body of a callback of the outbox. Links are made when it is sent: they live shorter than the retries. */
export function savedBody(save: SaveRow, links: FileLinks): Claims {
  if (isForced(save)) return forcedBody(save, links);
  const actions =
    save.leftUserId === null ? {} : { actions: [{ type: CallbackAction.leave, userid: save.leftUserId }] };
  if (save.status === CallbackStatus.closed) return { key: save.key, status: save.status, ...actions };
  return {
    key: save.key,
    status: save.status,
    ...filesOf(save, links),
    ...(save.authorId === null ? {} : { users: [save.authorId] }),
    ...actions,
    ...(save.lastSavedAt ? { lastsave: save.lastSavedAt.toISOString() } : {}),
    notmodified: save.notModified,
  };
}

/** Body of a callback with status 6 or 7 (integration API, 7.2 and 7.6). */
function forcedBody(save: SaveRow, links: FileLinks): Claims {
  const { initiatorId, userData } = save;
  return {
    key: save.key,
    status: save.status,
    forcesavetype: save.forceType,
    ...filesOf(save, links),
    ...formDataOf(save, links),
    ...(save.authorId === null ? {} : { users: [save.authorId] }),
    ...(initiatorId === null
      ? {}
      : { actions: [{ type: CallbackAction.forceSaveButton, userid: initiatorId }] }),
    ...(save.lastSavedAt ? { lastsave: save.lastSavedAt.toISOString() } : {}),
    ...(userData === null ? {} : { userdata: JSON.parse(userData) as unknown }),
  };
}

/** What was filled in, for a form that was submitted (integration API, 7.2). */
function formDataOf(save: SaveRow, links: FileLinks): Claims {
  if (save.formDataHash === null || save.status !== CallbackStatus.forceSaved) return {};
  return { formsdataurl: linkOf(save, links)(save.formDataHash, 'formsdata.json') };
}

function linkOf(save: SaveRow, links: FileLinks) {
  const base = { baseUrl: save.baseUrl, routing: routingOfDocument(save.key, save.routing) };
  return (hash: string, path: string) => links.temporary({ docKey: save.key, hash, path }, base);
}

function filesOf(save: SaveRow, links: FileLinks): Claims {
  if (save.resultHash === null || save.fileType === null) return {};
  const link = linkOf(save, links);
  return {
    filetype: save.fileType,
    url: link(save.resultHash, `output.${save.fileType}`),
    ...(save.changesHash === null ? {} : { changesurl: link(save.changesHash, 'changes.zip') }),
    history: save.history ?? {},
  };
}
