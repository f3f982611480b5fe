import type { FrameConfig } from '../frame/frame-config.ts';
import { type Role, roleOf } from '../frame/role.ts';

/** What somebody may do who looks at pages: whatever the configuration says, nothing that changes the document. */
export function readerRole(config: FrameConfig): Role {
  const role = roleOf(config);
  const { download, print } = config.document.permissions;
  const readOnly = {
    ...{ canEdit: false, canReview: false, canComment: false, canFillForms: false, canChat: false },
    ...{
      canModifyContentControls: false,
      canProtect: false,
      canFilter: false,
      mayChangeCoEditingMode: false,
    },
  };
  // As the server decides it: who may not have the file gets a PDF to print only if that is said.
  const canPrint = download === false ? print === true : print !== false;
  return { ...role, ...readOnly, role: 'view', liveViewer: false, canPrint };
}
