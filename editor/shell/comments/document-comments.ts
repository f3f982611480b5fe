import type { Signal } from '@preact/signals';
import type { Permissions } from '../../frame/document-config.ts';
import type { Role } from '../../frame/role.ts';
import { isInGroups, splitUserName } from '../../frame/user-name.ts';
import type { Ahead } from './typed-ahead.ts';

/** A comment or an answer. */
export interface DocumentComment {
  readonly ref: string;
  /** The name of its author, with groups in front. */
  readonly author: string;
  /** When it was made, ISO 8601; null where that is not known. */
  readonly date: string | null;
  readonly text: string;
  /** Whether its thread is resolved. */
  readonly done: boolean;
}

/** What is said about one place: a comment and the answers to it. */
export interface CommentThread {
  /** That of its first comment. */
  readonly ref: string;
  readonly comment: DocumentComment;
  readonly answers: readonly DocumentComment[];
}

export interface CommentRights {
  readonly see: boolean;
  readonly edit: boolean;
  readonly resolve: boolean;
  readonly remove: boolean;
}

/** The comments on a document of any kind. What reads signals is drawn anew when they change. */
export interface DocumentComments {
  /** Those that this person may see, in the order of the document. */
  readonly threads: readonly CommentThread[];
  /** `ref` of the thread that is looked at. */
  readonly active: Signal<string | null>;
  /** Whether a new comment is being written. */
  readonly isDrafting: boolean;
  /** Whether a comment can be begun on what is selected. */
  readonly canBegin: boolean;
  /** As many characters as a comment may have. */
  readonly longestChars: number;
  /** Keys that begin a comment, as `shownShortcut` takes them. */
  readonly keys: string;
  rightsOn(author: string): CommentRights;
  /** The text that a thread is about. */
  quoteOf(thread: string): string;
  /** Begins a comment on what is selected. */
  begin(): void;
  /** What was typed for the new comment before its field was there. */
  takeAhead(): Ahead;
  /** Gives the new comment up. */
  drop(): void;
  /** Adds the new comment; `emails` are of the people who are mentioned in it. */
  add(text: string, emails: readonly string[]): void;
  answer(thread: string, text: string, emails: readonly string[]): void;
  rewrite(ref: string, text: string, emails: readonly string[]): void;
  resolve(thread: string, done: boolean): void;
  /** Takes a comment away, and with the first of a thread its answers. */
  remove(ref: string): void;
  /** Shows what a thread is about. */
  show(thread: string): void;
}

/** Whether a comment or an answer is still there. */
export const hasComment = ({ threads }: Pick<DocumentComments, 'threads'>, ref: string): boolean =>
  threads.some((thread) => thread.ref === ref || thread.answers.some((answer) => answer.ref === ref));

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
