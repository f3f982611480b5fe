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
