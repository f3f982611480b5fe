import type { Protection } from '../../../model/word/rights/document-rights.ts';
import type { Role } from '../../frame/role.ts';

/** What a role comes to in a document that is protected; the rule of the log says the same (`actsUnder`). */
export function underProtection(role: Role, protection: Protection | null): Role {
  if (!protection) return role;
  const nothing = { canEdit: false, canReview: false, canComment: false, canFillForms: false };
  switch (protection) {
    case 'comments':
      if (role.canComment) return { ...role, ...nothing, role: 'comment', canComment: true };
      break;
    case 'trackedChanges':
      if (role.canEdit) return { ...role, role: 'review', canReview: false, canFillForms: false };
      if (role.canComment) return { ...role, ...nothing, role: 'comment', canComment: true };
      break;
    case 'forms': {
      const fills = role.canFillForms && role.role !== 'review';
      if (fills) return { ...role, ...nothing, role: 'fill', canFillForms: true };
    }
  }
  return { ...role, ...nothing, role: 'view' };
}

/** Whether somebody types in the document, be it in its forms alone. */
export const types = ({ canEdit, role }: Role): boolean => canEdit || role === 'fill';
