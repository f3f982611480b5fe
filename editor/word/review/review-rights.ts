import type { Permissions } from '../../frame/document-config.ts';
import type { Role } from '../../frame/role.ts';
import { isInGroups, splitUserName } from '../../frame/user-name.ts';
import type { Decision } from './tracking/revision.ts';

/** Whether somebody may accept or reject a tracked change: a reviewer may only take back what is their own. */
export function maySettle(
  decision: Decision,
  author: string,
  me: string,
  { role, canEdit, canReview }: Role,
  { reviewGroups }: Permissions,
): boolean {
  if (!canEdit) return false;
  if (role === 'review') return decision === 'reject' && author === me;
  return canReview && isInGroups(reviewGroups, splitUserName(author).groups);
}

export interface CommentRights {
  readonly see: boolean;
  readonly edit: boolean;
  readonly resolve: boolean;
  readonly remove: boolean;
}

/**
 * What somebody may do with the comments of an author. Groups decide also about one's own, but everybody sees those. Who
 * may not edit the document changes and deletes only their own.
 */
export function commentRights(
  author: string,
  me: string,
  { role, canComment }: Role,
  permissions: Permissions,
): CommentRights {
  const { commentGroups, editCommentAuthorOnly, deleteCommentAuthorOnly } = permissions;
  const { groups } = splitUserName(author);
  const isOwn = author === me;
  const editsAll = role === 'edit';
  const mayEdit = canComment && isInGroups(commentGroups.edit, groups);
  return {
    see: isOwn || isInGroups(commentGroups.view, groups),
    edit: mayEdit && (isOwn || (editsAll && editCommentAuthorOnly !== true)),
    resolve: mayEdit,
    remove:
      canComment &&
      isInGroups(commentGroups.remove, groups) &&
      (isOwn || (editsAll && deleteCommentAuthorOnly !== true)),
  };
}
