import { type Signal, useSignal } from '@preact/signals';
import { CheckCircle2, RotateCcw } from 'lucide-preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button, IconButton } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { CommentCard } from './comment-card.tsx';
import { CommentForm } from './comment-form.tsx';
import { type CommentThread, type DocumentComments, hasComment } from './document-comments.ts';
import type { Mentions } from './mentions.ts';

const quoteChars = 120;

export interface ThreadCardProps {
  comments: DocumentComments;
  thread: CommentThread;
  /** Whether this person may answer. */
  canAnswer: boolean;
  mentions: Mentions | null;
}

/** A thread of comments. A resolved one shows its answers when it is looked at. */
export function ThreadCard({ comments, thread, canAnswer, mentions }: ThreadCardProps) {
  const { ref, comment } = thread;
  const card = useRef<HTMLLIElement>(null);
  const isAnswering = useSignal(false);
  const isActive = comments.active.value === ref;
  const rights = comments.rightsOn(comment.author);
  const isOpen = isActive || !comment.done;
  const answers = thread.answers.filter(({ author }) => comments.rightsOn(author).see);
  const text = comments.quoteOf(ref);
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
        if (!(event.target as Element).closest('button, textarea, form') && !isActive) comments.show(ref);
      }}
    >
      <CommentCard
        comments={comments}
        comment={comment}
        mentions={mentions}
        headingLevel={3}
        onLeft={focusCard}
        quote={
          <button type="button" class="comment-quote" onClick={() => comments.show(ref)}>
            <span class="visually-hidden">{t('review.showText')}</span>
            <q dir="auto">{text.length > quoteChars ? `${text.slice(0, quoteChars)}…` : text || '·'}</q>
          </button>
        }
        actions={
          rights.resolve && (
            <IconButton
              label={t(comment.done ? 'review.reopen' : 'review.resolve')}
              onClick={() => {
                comments.resolve(ref, !comment.done);
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
        <Answers comments={comments} answers={answers} mentions={mentions} onLeft={focusCard} />
      )}
      {((isOpen && canAnswer) || isAnswering.value) && (
        <AnswerForm {...{ comments, thread, mentions, isAnswering }} onLeft={focusCard} />
      )}
    </li>
  );
}

interface AnswersProps {
  comments: DocumentComments;
  answers: CommentThread['answers'];
  mentions: Mentions | null;
  /** Takes the focus when it leaves a comment. */
  onLeft: () => void;
}

function Answers({ comments, answers, mentions, onLeft }: AnswersProps) {
  return (
    <ol class="answers" aria-label={t('review.answersLabel')}>
      {answers.map((one) => (
        <li key={one.ref}>
          <CommentCard {...{ comments, mentions, onLeft }} comment={one} headingLevel={4} />
        </li>
      ))}
    </ol>
  );
}

interface AnswerFormProps extends Omit<ThreadCardProps, 'canAnswer'> {
  isAnswering: Signal<boolean>;
  onLeft: () => void;
}

/** The button to answer with; pressed, the form. */
function AnswerForm({ comments, thread, mentions, isAnswering, onLeft }: AnswerFormProps) {
  const label = t('review.answer');
  if (!isAnswering.value) {
    return (
      <Button
        class="comment-answer"
        onClick={() => {
          isAnswering.value = true;
        }}
      >
        {label}
      </Button>
    );
  }
  const end = () => {
    isAnswering.value = false;
    onLeft();
  };
  return (
    <CommentForm
      label={label}
      submitLabel={label}
      longestChars={comments.longestChars}
      mentions={mentions}
      isLost={() => !hasComment(comments, thread.ref)}
      onSubmit={(typed, emails) => {
        comments.answer(thread.ref, typed, emails);
        end();
      }}
      onCancel={end}
    />
  );
}
