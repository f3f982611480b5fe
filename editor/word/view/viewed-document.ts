import type { Signal } from '@preact/signals';
import type { Command, EditorState, Transaction } from 'prosemirror-state';
import type { WordSession } from '../../../client/word/word-session.ts';
import type { WordDocumentJson } from '../../../model/word/document.ts';
import type { FrameConfig } from '../../frame/frame-config.ts';
import type { Role } from '../../frame/role.ts';
import type { Styles } from '../styles/styles.ts';

/** What the view, its clipboard and its pictures need of the editor of a text document. */
export interface ViewedDocument {
  readonly config: FrameConfig;
  /** What came with the document besides its text. */
  readonly document: WordDocumentJson;
  readonly styles: Styles;
  /** What this person may do now. */
  readonly role: Role;
  /** 1 is the size on paper. */
  readonly zoom: Signal<number>;
  readonly session: Pick<WordSession, 'loadMedia' | 'uploadPicture'> & { readonly state: EditorState };
  /** The address of a picture by its path in the model; null while it is not known. */
  mediaUrl(path: string): string | null;
  dispatch(transaction: Transaction): void;
  /** Runs a command and gives the focus back to the text. True if it did something. */
  run(command: Command): boolean;
}
