import { type AuthRequest, maxUserNameLength } from '../../../client/protocol/index.ts';
import { permissionsIn } from '../../../client/protocol/permissions.ts';
import { kinds } from '../../../model/kinds.ts';
import { type ChangeAuthor, grantsOf } from '../../../model/log/change-author.ts';
import { cleanText, shortText } from '../../../platform/foreign-text.ts';

/**
 * The name people see (co-authoring protocol, 8.2): first and last name if both are there (the other way round in
 * Russian), else the user name, else `Anonymous`; cut to 255 characters.
 */
export function displayName(user: NonNullable<AuthRequest['user']>, lang: string | null | undefined): string {
  const { firstname, lastname, username } = user;
  const full = lang?.startsWith('ru') ? `${lastname} ${firstname}` : `${firstname} ${lastname}`;
  const name = firstname && lastname ? full : (username ?? '');
  return shortText(cleanText(name), maxUserNameLength) || 'Anonymous';
}

/** A request with its permissions as they are to be read, once they have been compared with those of the token. */
export const withReadPermissions = (request: AuthRequest): AuthRequest => ({
  ...request,
  permissions: permissionsIn(request.permissions),
});

/** Whether a connection may only look: the mode says so, or no right to change anything is left. */
export function isViewer(request: Pick<AuthRequest, 'mode' | 'permissions'>): boolean {
  if (request.mode === 'view') return true;
  const rights = request.permissions;
  if (!rights) return false;
  return !(
    rights.edit !== false ||
    rights.review === true ||
    rights.comment === true ||
    rights.fillForms === true
  );
}

/**
 * Whether somebody may have the document as a file (`permissions.download`). This is checked at each place that gives a
 * person a file or a link to one: `/downloadas` and with it `/printfile`, `/downloadfile`, copies over the connection
 * (`rpc`). Everybody who may open the document gets what an editor needs to show it: the opened form (`Editor.bin`)
 * with its pictures, changes and checkpoints, and the text that is asked how it is to be read (`needparams`). Forced
 * saves, callbacks and commands give their links to the integrator alone.
 * @param permissions of a session, or as a token has them
 */
export function mayDownload(permissions: unknown): boolean {
  return permissionsIn(permissions)?.download !== false;
}

/**
 * What the changes of somebody are stamped with for as long as their connection lasts, whatever they are called
 * meanwhile. None for somebody who may do everything in a document whose changes only editors of others understand:
 * these ignore stamps.
 * @param request with what the token has said in it
 * @param model of the document as far as it is settled
 */
export function authorStamp(
  { permissions, mode, openCmd }: Pick<AuthRequest, 'permissions' | 'mode' | 'openCmd'>,
  name: string,
  model: string | null,
): ChangeAuthor | undefined {
  const grants = grantsOf(permissions, mode);
  if (grants.may) return { name, ...grants };
  // Who comes back to a session says nothing of a model.
  const isOurs = kinds.ofModel(openCmd?.model) || (model === null ? !openCmd : kinds.ofModel(model));
  return isOurs ? { name, ...grants } : undefined;
}
