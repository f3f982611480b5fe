import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { type Mentions, type MentionUser, matching, mentionAt, mentionedIn } from './mentions.ts';
import type { Ahead } from './typed-ahead.ts';

export interface CommentFormProps {
  label: string;
  submitLabel: string;
  initial?: string;
  longestChars: number;
  /** What was typed for it before it was there, asked for when it takes the focus. */
  takeAhead?: () => Ahead;
  /** Null where the embedding page knows nobody who could be mentioned. */
  mentions: Mentions | null;
  onSubmit: (text: string, emails: readonly string[]) => void;
  onCancel: () => void;
}

/** A field for the text of a comment. Ctrl+Enter sends it, Escape leaves it, `@` names somebody. */
export function CommentForm({
  label,
  submitLabel,
  initial = '',
  longestChars,
  takeAhead,
  mentions,
  onSubmit,
  onCancel,
}: CommentFormProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const text = useSignal(initial);
  const cursor = useSignal<number | null>(null);
  const chosen = useSignal(0);
  const listId = useId();
  const mention = useComputed(() =>
    mentions && cursor.value !== null ? mentionAt(text.value, cursor.value) : null,
  );
  const people = useComputed(() =>
    mention.value && mentions ? matching(mentions.users.value, mention.value.query).slice(0, 6) : [],
  );
  useLayoutEffect(() => {
    const element = field.current!;
    element.focus();
    const ahead = takeAhead?.();
    text.value = element.value += ahead?.text ?? '';
    element.setSelectionRange(element.value.length, element.value.length);
    if (ahead?.isSent) submit();
  }, []);
  const query = mention.value?.query;
  useEffect(() => {
    if (query !== undefined) mentions?.ask(query);
    chosen.value = 0;
  }, [query, mentions, chosen]);

  const noteCursor = () => {
    const element = field.current!;
    text.value = element.value;
    cursor.value = element.selectionStart === element.selectionEnd ? element.selectionStart : null;
  };
  const choose = ({ name }: MentionUser) => {
    const element = field.current!;
    const at = mention.value;
    if (!at) return;
    element.setRangeText(`@${name} `, at.start, cursor.value ?? at.start, 'end');
    element.focus();
    noteCursor();
  };
  const submit = () => {
    if (text.value.trim() !== '') onSubmit(text.value, mentionedIn(text.value, mentions?.users.value ?? []));
  };
  const keyDown = (event: KeyboardEvent) => {
    const count = people.value.length;
    const move = { ArrowDown: 1, ArrowUp: count - 1 }[event.key];
    if (count > 0 && move !== undefined) chosen.value = (chosen.value + move) % count;
    else if (count > 0 && (event.key === 'Enter' || event.key === 'Tab')) choose(people.value[chosen.value]!);
    else if (event.key === 'Escape' && count > 0) cursor.value = null;
    else if (event.key === 'Escape') onCancel();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isListing = people.value.length > 0;
  return (
    <form
      class="comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        ref={field}
        value={text.value}
        rows={3}
        maxLength={longestChars}
        dir="auto"
        aria-label={label}
        aria-autocomplete={mentions ? 'list' : undefined}
        aria-controls={isListing ? listId : undefined}
        aria-activedescendant={isListing ? `${listId}-${chosen.value}` : undefined}
        onInput={noteCursor}
        onKeyUp={noteCursor}
        onClick={noteCursor}
        onKeyDown={keyDown}
      />
      {isListing && (
        <div class="mention-list" id={listId} role="listbox" aria-label={t('review.people')}>
          {people.value.map((person, index) => (
            <div
              key={person.id ?? person.email ?? person.name}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen.value}
              onMouseDown={(event) => {
                event.preventDefault();
                choose(person);
              }}
            >
              <span>{person.name}</span> <small>{person.email}</small>
            </div>
          ))}
        </div>
      )}
      <div class="comment-form-actions">
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
        <Button kind="primary" type="submit" disabled={text.value.trim() === ''}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
