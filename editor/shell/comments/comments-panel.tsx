import { useSignal } from '@preact/signals';
import { MessageSquarePlus } from 'lucide-preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { SidePanel } from '../../kit/side-panel.tsx';
import { t } from '../../strings/strings.ts';
import { shownShortcut } from '../actions.ts';
import { type DocumentEditor, togglePanel } from '../document-editor.ts';
import { CommentForm } from './comment-form.tsx';
import type { DocumentComments } from './document-comments.ts';
import { Mentions } from './mentions.ts';
import { ThreadCard } from './thread-card.tsx';
import './comments-panel.css';

interface CommentsPanelProps {
  editor: DocumentEditor;
  comments: DocumentComments;
}

/** The comments on the document, in its order. */
export function CommentsPanel({ editor, comments }: CommentsPanelProps) {
  const { canRequestUsers } = editor.config.editorConfig;
  const mentions = useMemo(
    () => (canRequestUsers ? new Mentions(editor.host) : null),
    [editor, canRequestUsers],
  );
  useEffect(() => mentions?.follow(), [mentions]);
  const showsResolved = useSignal(false);
  const { canComment } = editor.role;
  const { threads, isDrafting, longestChars } = comments;
  const resolved = threads.filter(({ comment }) => comment.done).length;
  const active = comments.active.value;
  const shown = threads.filter(({ ref, comment }) => !comment.done || showsResolved.value || ref === active);
  const isLeft = useRef(false);
  const leave = () => {
    isLeft.current = true;
    if (isDrafting) comments.drop();
    comments.active.value = null;
    togglePanel(editor, 'comments');
  };
  return (
    <SidePanel title={t('toolbar.comments')} onClose={leave}>
      <div class="comments-bar">
        {canComment && (
          <Button
            title={shownShortcut(comments.keys) ?? ''}
            disabled={isDrafting || !comments.canBegin}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => comments.begin()}
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
      {isDrafting && (
        <div class="thread thread-active">
          <CommentForm
            label={t('review.newComment')}
            submitLabel={t('review.comment')}
            longestChars={longestChars}
            takeAhead={() => comments.takeAhead()}
            mentions={mentions}
            isLost={() => !comments.isDrafting && !isLeft.current}
            onSubmit={(text, emails) => {
              comments.add(text, emails);
              editor.focus();
            }}
            onCancel={() => {
              comments.drop();
              editor.focus();
            }}
          />
        </div>
      )}
      {shown.length === 0 && !isDrafting && <p class="comments-none">{t('review.noComments')}</p>}
      <ol class="threads" aria-label={t('toolbar.comments')}>
        {shown.map((thread) => (
          <ThreadCard
            key={thread.ref}
            comments={comments}
            thread={thread}
            canAnswer={canComment}
            mentions={mentions}
          />
        ))}
      </ol>
    </SidePanel>
  );
}
