import { computed } from '@preact/signals';
import type { DocumentComments } from '../../../shell/comments/document-comments.ts';
import type { WordEditor } from '../../word-editor.ts';
import {
  answerThread,
  beginComment,
  deleteComment,
  dropDraft,
  finishComment,
  resolveThread,
  rewriteComment,
  showThread,
} from './comment-actions.ts';
import { longestCommentChars, rangeToComment } from './comment-commands.ts';
import { commentsIn, placeOfThread } from './comment-marks.ts';
import { commentKeys } from './comments-feature.ts';

/** The comments on a text document, as the page shows them. */
export function wordComments(editor: WordEditor): DocumentComments {
  const { review, state } = editor;
  const marks = computed(() => commentsIn(state.value));
  const canBegin = computed(() => rangeToComment(state.value) !== null);
  return {
    get threads() {
      return marks.value?.threads ?? [];
    },
    get isDrafting() {
      return (marks.value?.draft ?? null) !== null;
    },
    get canBegin() {
      return canBegin.value;
    },
    active: review.thread,
    longestChars: longestCommentChars,
    keys: commentKeys,
    rightsOn: (author) => review.rightsOn(author),
    quoteOf: (thread) => placeOfThread(state.value, thread)?.text ?? '',
    begin: () => void beginComment(editor),
    takeAhead: () => review.typedAhead.take(),
    drop: () => dropDraft(editor),
    add: (text, emails) => finishComment(editor, text, emails),
    answer: (thread, text, emails) => answerThread(editor, thread, text, emails),
    rewrite: (ref, text, emails) => rewriteComment(editor, ref, text, emails),
    resolve: (thread, done) => resolveThread(editor, thread, done),
    remove: (ref) => deleteComment(editor, ref),
    show: (thread) => showThread(editor, thread),
  };
}
