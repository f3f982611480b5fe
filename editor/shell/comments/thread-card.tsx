import { useSignal } from '@preact/signals';
import { CheckCircle2, RotateCcw } from 'lucide-preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button, IconButton } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { answerThread, resolveThread, showThread } from '../../word/review/comments/comment-actions.ts';
import { placeOfThread } from '../../word/review/comments/comment-marks.ts';
import type { Thread } from '../../word/review/comments/threads.ts';
import type { WordEditor } from '../../word/word-editor.ts';
import { CommentCard } from './comment-card.tsx';
import { CommentForm } from './comment-form.tsx';
import type { Mentions } from './mentions.ts';

const quoteChars = 120;

export interface ThreadCardProps {
  editor: WordEditor;
  thread: Thread;
  mentions: Mentions | null;
}

/** A thread of comments. A resolved one shows its answers when it is looked at. */
export function ThreadCard({ editor, thread, mentions }: ThreadCardProps) {
  const { ref, comment } = thread;
  const card = useRef<HTMLLIElement>(null);
  const isAnswering = useSignal(false);
  const isActive = editor.review.thread.value === ref;
  const rights = editor.review.rightsOn(comment.author);
  const isOpen = isActive || !comment.done;
  const answers = thread.answers.filter(({ author }) => editor.review.rightsOn(author).see);
  const text = placeOfThread(editor.state.value, ref)?.text ?? '';
  useEffect(() => {
    if (isActive) card.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const focusCard = () =>
    card.current?.querySelector<HTMLElement>('.comment-quote, .comment-answer')?.focus();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button with the quoted text does the same
    <li
      ref={card}
      class={`thread${isActive ? ' thread-active' : ''}${comment.done ? ' thread-done' : ''}`}
      aria-current={isActive ? 'true' : undefined}
      onClick={(event) => {
        if (!(event.target as Element).closest('button, textarea, form') && !isActive)
          showThread(editor, ref);
      }}
    >
      <CommentCard
        editor={editor}
        comment={comment}
        mentions={mentions}
        headingLevel={3}
        onLeft={focusCard}
        quote={
          <button type="button" class="comment-quote" onClick={() => showThread(editor, ref)}>
            <span class="visually-hidden">{t('review.showText')}</span>
            <q dir="auto">{text.length > quoteChars ? `${text.slice(0, quoteChars)}…` : text || '·'}</q>
          </button>
        }
        actions={
          rights.resolve && (
            <IconButton
              label={t(comment.done ? 'review.reopen' : 'review.resolve')}
              onClick={() => {
                resolveThread(editor, ref, !comment.done);
                focusCard();
              }}
            >
              {comment.done ? <RotateCcw size={16} /> : <CheckCircle2 size={16} />}
            </IconButton>
          )
        }
      />
      {comment.done && <p class="thread-state">{t('review.resolved')}</p>}
      {!isOpen && answers.length > 0 && (
        <p class="thread-state">{t('review.answers', { count: answers.length })}</p>
      )}
      {isOpen && answers.length > 0 && (
        <ol class="answers" aria-label={t('review.answersLabel')}>
          {answers.map((one) => (
            <li key={one.ref}>
              <CommentCard
                editor={editor}
                comment={one}
                mentions={mentions}
                headingLevel={4}
                onLeft={focusCard}
              />
            </li>
          ))}
        </ol>
      )}
      {isOpen && editor.role.canComment && !isAnswering.value && (
        <Button
          class="comment-answer"
          onClick={() => {
            isAnswering.value = true;
          }}
        >
          {t('review.answer')}
        </Button>
      )}
      {isAnswering.value && (
        <CommentForm
          label={t('review.answer')}
          submitLabel={t('review.answer')}
          mentions={mentions}
          onSubmit={(typed, emails) => {
            answerThread(editor, ref, typed, emails);
            isAnswering.value = false;
            focusCard();
          }}
          onCancel={() => {
            isAnswering.value = false;
            focusCard();
          }}
        />
      )}
    </li>
  );
}
