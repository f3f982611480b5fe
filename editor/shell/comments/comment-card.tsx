import { useSignal } from '@preact/signals';
import { Pencil, Trash2 } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { splitUserName } from '../../frame/user-name.ts';
import { IconButton } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { initialsOf } from '../people/people.ts';
import '../people/avatars.css';
import { ago, authorColor, fullTime, shownName } from '../people/byline.ts';
import { CommentForm } from './comment-form.tsx';
import { type DocumentComment, type DocumentComments, hasComment } from './document-comments.ts';
import type { Mentions } from './mentions.ts';

export interface CommentCardProps {
  comments: DocumentComments;
  comment: DocumentComment;
  mentions: Mentions | null;
  headingLevel: 3 | 4;
  /** Before the text. */
  quote?: ComponentChildren;
  /** More buttons in its head. */
  actions?: ComponentChildren;
  /** The comment is gone, or is not being changed any more: where the focus goes is up to the list. */
  onLeft: () => void;
}

/** One comment or answer: who, when, what, and what can be done with it. */
export function CommentCard({
  comments,
  comment,
  mentions,
  headingLevel,
  quote,
  actions,
  onLeft,
}: CommentCardProps) {
  const isEdited = useSignal(false);
  const { ref, author, date, text } = comment;
  const rights = comments.rightsOn(author);
  const Heading = `h${headingLevel}` as const;
  const name = shownName(author);
  return (
    <>
      <header class="comment-head">
        <span class="avatar" style={{ background: authorColor(author) }} aria-hidden="true">
          {initialsOf(splitUserName(author).name)}
        </span>
        <Heading>
          <span class="comment-author">{name}</span>
          {date !== null && (
            <time dateTime={date} title={fullTime(date)}>
              {ago(date)}
            </time>
          )}
        </Heading>
        <span class="comment-actions">
          {actions}
          {rights.edit && (
            <IconButton
              label={t('review.editComment')}
              onClick={() => {
                isEdited.value = true;
              }}
            >
              <Pencil size={16} />
            </IconButton>
          )}
          {rights.remove && (
            <IconButton
              label={t('review.deleteComment')}
              onClick={() => {
                comments.remove(ref);
                onLeft();
              }}
            >
              <Trash2 size={16} />
            </IconButton>
          )}
        </span>
      </header>
      {quote}
      {isEdited.value ? (
        <CommentForm
          label={t('review.editComment')}
          submitLabel={t('common.save')}
          initial={text}
          longestChars={comments.longestChars}
          mentions={mentions}
          isLost={() => !hasComment(comments, ref)}
          onSubmit={(typed, emails) => {
            comments.rewrite(ref, typed, emails);
            isEdited.value = false;
            onLeft();
          }}
          onCancel={() => {
            isEdited.value = false;
            onLeft();
          }}
        />
      ) : (
        <p class="comment-text" dir="auto">
          {text}
        </p>
      )}
    </>
  );
}
