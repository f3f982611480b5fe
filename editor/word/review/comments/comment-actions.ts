import type { Transaction } from 'prosemirror-state';
import { announce } from '../../../kit/announce.tsx';
import { t } from '../../../strings/strings.ts';
import { goTo } from '../../commands/selection.ts';
import type { WordEditor } from '../../word-editor.ts';
import { revisionOf } from '../tracking/revision.ts';
import {
  addComment,
  answer,
  changeComment,
  commentOfLink,
  commentText,
  linkToComment,
  newRef,
  rangeToComment,
  removeComment,
} from './comment-commands.ts';
import { commentsIn, markComments, placeOfThread } from './comment-marks.ts';

/** Begins a comment on the selection. False where there can be none. */
export function beginComment(editor: WordEditor): boolean {
  const { state } = editor.session;
  const range = editor.role.canComment ? rangeToComment(state) : null;
  if (!range) return false;
  editor.review.typedAhead.begin();
  editor.dispatch(markComments(state.tr, { draft: range, active: null }));
  editor.review.thread.value = null;
  editor.panel.value = 'comments';
  return true;
}

export function dropDraft(editor: WordEditor): void {
  editor.review.typedAhead.take();
  editor.dispatch(markComments(editor.session.state.tr, { draft: null }));
}

/** Comments on what the draft is about. */
export function finishComment(editor: WordEditor, typed: string, emails: readonly string[]): void {
  const { session, review } = editor;
  const range = commentsIn(session.state)?.draft;
  const text = commentText(typed);
  if (!range || text === '') return;
  const comment = { ref: newRef(), text, revision: revisionOf(review.author, Date.now()) };
  editor.dispatch(markComments(addComment(session.state, range, comment), { draft: null }));
  announce(t('review.commentAdded'));
  review.thread.value = comment.ref;
  tellMentioned(editor, comment, emails);
}

export function answerThread(
  editor: WordEditor,
  thread: string,
  typed: string,
  emails: readonly string[],
): void {
  const { session, review } = editor;
  const text = commentText(typed);
  if (text === '') return;
  const comment = { ref: newRef(), text, revision: revisionOf(review.author, Date.now()) };
  if (!send(editor, answer(session.state, thread, comment))) return;
  announce(t('review.answerAdded'));
  tellMentioned(editor, comment, emails);
}

export function rewriteComment(
  editor: WordEditor,
  ref: string,
  typed: string,
  emails: readonly string[],
): void {
  const text = commentText(typed);
  if (text === '' || !send(editor, changeComment(editor.session.state, ref, { text }))) return;
  const revision = revisionOf(editor.review.author, Date.now());
  tellMentioned(editor, { ref, text, revision }, emails);
}

export function resolveThread(editor: WordEditor, ref: string, done: boolean): void {
  if (!send(editor, changeComment(editor.session.state, ref, { done }))) return;
  announce(t(done ? 'review.commentResolved' : 'review.commentReopened'));
}

export function deleteComment(editor: WordEditor, ref: string): void {
  if (send(editor, removeComment(editor.session.state, ref))) announce(t('review.commentDeleted'));
}

function send(editor: WordEditor, transaction: Transaction | null): boolean {
  if (transaction) editor.dispatch(transaction);
  return transaction !== null;
}

/** Shows the text that a thread is about. */
export function showThread(editor: WordEditor, ref: string): void {
  editor.review.thread.value = ref;
  const place = placeOfThread(editor.session.state, ref);
  if (place) goTo(editor, place.from, place.to);
}

/** Opens the comment that a link names. False if it is gone. */
export function openCommentLink(editor: WordEditor, link: string): boolean {
  const thread = commentOfLink(editor.session.state, link);
  if (thread === null) return false;
  editor.panel.value = 'comments';
  showThread(editor, thread);
  return true;
}

function tellMentioned(
  editor: WordEditor,
  comment: Parameters<typeof linkToComment>[0] & { text: string },
  emails: readonly string[],
): void {
  if (emails.length === 0 || !editor.config.editorConfig.canRequestSendNotify) return;
  const actionLink = { action: { type: 'comment', data: linkToComment(comment) } };
  editor.host.send('onRequestSendNotify', { actionLink, message: comment.text, emails: [...emails] });
}
