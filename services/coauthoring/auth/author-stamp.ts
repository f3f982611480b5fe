import type { AuthRequest } from '../../../client/protocol/index.ts';
import { kinds } from '../../../model/kinds.ts';
import { type ChangeAuthor, limitsOf } from '../../../model/log/change-author.ts';

/**
 * What the changes of somebody are stamped with for as long as their connection lasts, whatever they are called meanwhile.
 * None for who may do everything in a document whose changes only other editors understand: those look at no stamps.
 * @param request with what the token has said in it
 * @param model of the document as far as it is settled
 */
export function authorStamp(
  { permissions, mode, openCmd }: Pick<AuthRequest, 'permissions' | 'mode' | 'openCmd'>,
  name: string,
  model: string | null,
): ChangeAuthor | undefined {
  const may = limitsOf(permissions, mode);
  if (may) return { name, may };
  // Who comes back to a session says nothing of a model.
  const isOurs = kinds.ofModel(openCmd?.model) || (model === null ? !openCmd : kinds.ofModel(model));
  return isOurs ? { name } : undefined;
}
