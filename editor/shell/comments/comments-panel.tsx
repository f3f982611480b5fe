import { useComputed, useSignal } from '@preact/signals';
import { MessageSquarePlus } from 'lucide-preact';
import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { SidePanel } from '../../kit/side-panel.tsx';
import { t } from '../../strings/strings.ts';
import { beginComment, dropDraft, finishComment } from '../../word/review/comments/comment-actions.ts';
import { rangeToComment } from '../../word/review/comments/comment-commands.ts';
import { commentsIn } from '../../word/review/comments/comment-marks.ts';
import { commentKeys } from '../../word/review/comments/comments-feature.ts';
import type { WordEditor } from '../../word/word-editor.ts';
import { shownShortcut } from '../shortcuts.ts';
import { CommentForm } from './comment-form.tsx';
import { Mentions } from './mentions.ts';
import { ThreadCard } from './thread-card.tsx';
import './comments-panel.css';

/** The comments on the document, in its order. */
export function CommentsPanel({ editor }: { editor: WordEditor }) {
  const { canRequestUsers } = editor.config.editorConfig;
  const mentions = useMemo(
    () => (canRequestUsers ? new Mentions(editor.host) : null),
    [editor, canRequestUsers],
  );
  useEffect(() => mentions?.follow(), [mentions]);
  const showsResolved = useSignal(false);
  const comments = useComputed(() => commentsIn(editor.state.value));
  const draft = comments.value?.draft ?? null;
  const threads = comments.value?.threads ?? [];
  const resolved = threads.filter(({ comment }) => comment.done).length;
  const active = editor.review.thread.value;
  const shown = threads.filter(({ ref, comment }) => !comment.done || showsResolved.value || ref === active);
  const leave = () => {
    if (draft) dropDraft(editor);
    editor.review.thread.value = null;
    editor.togglePanel('comments');
  };
  return (
    <SidePanel title={t('toolbar.comments')} onClose={leave}>
      <div class="comments-bar">
        {editor.role.canComment && (
          <Button
            title={shownShortcut(commentKeys) ?? ''}
            disabled={draft !== null || rangeToComment(editor.state.value) === null}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => beginComment(editor)}
          >
            <MessageSquarePlus size={16} aria-hidden="true" />
            {t('review.comment')}
          </Button>
        )}
        {resolved > 0 && (
          <label>
            <input
              type="checkbox"
              checked={showsResolved.value}
              onChange={(event) => {
                showsResolved.value = event.currentTarget.checked;
              }}
            />
            {t('review.showResolved', { count: resolved })}
          </label>
        )}
      </div>
      {draft && (
        <div class="thread thread-active">
          <CommentForm
            label={t('review.newComment')}
            submitLabel={t('review.comment')}
            takeAhead={() => editor.review.typedAhead.take()}
            mentions={mentions}
            onSubmit={(text, emails) => finishComment(editor, text, emails)}
            onCancel={() => {
              dropDraft(editor);
              editor.view?.focus();
            }}
          />
        </div>
      )}
      {shown.length === 0 && !draft && <p class="comments-none">{t('review.noComments')}</p>}
      <ol class="threads" aria-label={t('toolbar.comments')}>
        {shown.map((thread) => (
          <ThreadCard key={thread.ref} editor={editor} thread={thread} mentions={mentions} />
        ))}
      </ol>
    </SidePanel>
  );
}
