import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { EditorState } from 'prosemirror-state';
import type { WordSession } from '../../../client/word/word-session.ts';
import type { WordDocumentJson, WordProtection } from '../../../model/word/document.ts';
import type { Protection } from '../../../model/word/rights/document-rights.ts';
import type { Role } from '../../frame/role.ts';

/** As much of an editor as its protection acts on; there may be no session yet. */
interface ProtectedDocument {
  readonly document: WordDocumentJson;
  readonly session: WordSession;
}

/**
 * The protection that the file has, until somebody lifts it: that is a change of the document like others, for everybody and
 * in the file.
 */
export class DocumentProtection {
  /** Null where there is none, or none any more. */
  readonly kind: ReadonlySignal<Protection | null>;
  readonly #editor: ProtectedDocument;
  readonly #kind: Signal<Protection | null> = signal(null);

  constructor(editor: ProtectedDocument) {
    this.#editor = editor;
    this.kind = this.#kind;
  }

  /** How to know the password; null where there is none. */
  get password(): WordProtection['password'] {
    return this.#editor.document.settings.protection?.password ?? null;
  }

  /** To be called with each new state of the document. */
  follow({ doc }: EditorState): void {
    const { protection } = this.#editor.document.settings;
    this.#kind.value = protection && !doc.attrs.lifted ? protection.edit : null;
  }

  /** Not taken back by undo: one does not see what else that would take back. */
  lift(): void {
    const { session } = this.#editor;
    session.dispatch(session.state.tr.setDocAttribute('lifted', true).setMeta('addToHistory', false));
  }
}

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
