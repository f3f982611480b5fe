import { mayAddPictures, mayFillIn } from '../../../../model/log/change-author.ts';
import { isEditor, type Member } from '../member.ts';
import type { OpenDocument } from '../open-document.ts';

/** Somebody who signed in, and their document, as they are at this moment. */
export interface Standing {
  readonly member: Member;
  readonly document: OpenDocument;
}

/** What a right is asked for: each is judged by what the server knows, and by nothing that a client says of itself. */
const conditions = {
  /** In co-editing: neither waiting at the door, nor being given the history, nor out of it by `close`. */
  isIn: ({ member }) => member.state === 'active',
  /** Has given the password of a document that is protected. */
  seesContent: ({ member }) => !member.isShutOut,
  /** Came to change the document and has not left co-editing. */
  isEditor: ({ member }) => isEditor(member),
  /** Is in, sees the content, may change something, and what it may change is judged. */
  mayChange: ({ member, document }) => document.mayChange(member),
  /** Its token gives it the chat. */
  mayChat: ({ member }) => member.chat,
  /** May edit, not only comment or fill in: pictures are content. */
  mayAddPictures: ({ member }) => mayAddPictures(member.author.stamp?.may),
  /** May edit or fill in: a form is handed over by who filled it in. */
  mayFillIn: ({ member }) => mayFillIn(member.author.stamp?.may),
  /** The integrator has not said what this person is called. */
  mayBeRenamed: ({ member }) => !member.nameIsFixed,
  /** The document's base is there, and changes are taken. */
  isOpen: ({ document }) => document.isOpen,
} satisfies Record<string, (standing: Standing) => boolean>;

export type Condition = keyof typeof conditions;

/** Whether all of these hold for somebody now. */
export const allHold = (needed: readonly Condition[], standing: Standing): boolean =>
  needed.every((condition) => conditions[condition](standing));

/** What each says of a person or a document, for `docs/security.md`. */
export const meaningOf: Readonly<Record<Condition, string>> = {
  isIn: 'is in',
  seesContent: 'has given the password of a protected document',
  isEditor: 'came to edit and has not left',
  mayChange: 'may change something of the document now',
  mayChat: 'has the chat',
  mayAddPictures: 'edits or reviews',
  mayFillIn: 'edits or fills in forms',
  mayBeRenamed: 'is not named by the integrator',
  isOpen: 'while the document is open',
};
