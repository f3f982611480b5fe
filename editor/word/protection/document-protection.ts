import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { EditorState } from 'prosemirror-state';
import type { WordSession } from '../../../client/word/word-session.ts';
import type { WordProtection } from '../../../model/word/document.ts';
import type { Protection } from '../../../model/word/rights/document-rights.ts';
import type { Role } from '../../frame/role.ts';

/**
 * The protection that the file has, until somebody lifts it: that is a change of the document like others, for everybody and
 * in the file.
 */
export class DocumentProtection {
  /** Null where there is none, or none any more. */
  readonly kind: ReadonlySignal<Protection | null>;
  readonly #editor: { readonly session: WordSession };
  readonly #kind: Signal<Protection | null> = signal(null);

  /** `editor`: it may have no session yet. */
  constructor(editor: { readonly session: WordSession }) {
    this.#editor = editor;
    this.kind = this.#kind;
  }

  /** How to know the password; null where there is none. */
  get password(): WordProtection['password'] {
    return this.#editor.session.document.settings.protection?.password ?? null;
  }

  /** To be called with each new state of the document. */
  follow({ doc }: EditorState): void {
    const { protection } = this.#editor.session.document.settings;
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
