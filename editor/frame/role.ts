import type { FrameConfig } from './frame-config.ts';

/** What somebody may do in a document. The server has the last word; this is what the interface offers. */
export interface Role {
  role: 'edit' | 'review' | 'comment' | 'fill' | 'view';
  /** Reads along while others type; other viewers see the document as it was when they opened it. */
  liveViewer: boolean;
  /** May change the text; a reviewer's changes are recorded. */
  canEdit: boolean;
  /** May accept and reject recorded changes and switch recording off. */
  canReview: boolean;
  canComment: boolean;
  canFillForms: boolean;
  canModifyContentControls: boolean;
  canProtect: boolean;
  /** May filter rows of a spreadsheet, which is for everybody. */
  canFilter: boolean;
  canDownload: boolean;
  canPrint: boolean;
  canCopy: boolean;
  canChat: boolean;
  /** May switch between fast and strict. */
  mayChangeCoEditingMode: boolean;
}

/** The role that permissions and mode give together (integration API, 4.3 and 4.4). */
export function roleOf({ document, editorConfig, type }: FrameConfig): Role {
  const { permissions } = document;
  const { mode, customization, coEditing } = editorConfig;
  const edit = permissions.edit ?? true;
  const review = permissions.review ?? edit;
  const comment = permissions.comment ?? edit;
  const fillForms = permissions.fillForms ?? (edit || review);
  const role = nameOfRole();
  const liveViewer = role === 'view' && coEditing.mode === 'fast' && type !== 'embedded';
  const canEdit = role === 'edit' || role === 'review';
  return {
    role,
    liveViewer,
    canEdit,
    canReview: role === 'edit' && review,
    canComment: (canEdit || role === 'comment') && comment && customization.comments,
    canFillForms: (canEdit || role === 'fill') && fillForms,
    canModifyContentControls: canEdit && (permissions.modifyContentControl ?? true),
    canProtect: role === 'edit' && (permissions.protect ?? true),
    canFilter: role === 'edit' && (permissions.modifyFilter ?? true),
    canDownload: permissions.download ?? true,
    canPrint: permissions.print ?? true,
    canCopy: permissions.copy ?? true,
    canChat: (permissions.chat ?? true) && customization.chat && (role !== 'view' || liveViewer),
    mayChangeCoEditingMode: role !== 'view' && coEditing.change,
  };

  function nameOfRole(): Role['role'] {
    if (mode === 'view' || type === 'embedded') return 'view';
    if (mode === 'fillForms') return fillForms ? 'fill' : 'view';
    if (edit) return 'edit';
    if (review) return 'review';
    if (fillForms) return 'fill';
    return comment ? 'comment' : 'view';
  }
}
