import { type Signal, useComputed, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { tellLostText } from '../../kit/lost-text.ts';
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
  /** Whether what it is for is gone; asked when the form goes. */
  isLost: () => boolean;
  onSubmit: (text: string, emails: readonly string[]) => void;
  onCancel: () => void;
}

/** Says a text that goes with its form, since others have removed what it was for. */
function useLostText(text: Signal<string>, initial: string, isLost: () => boolean) {
  const isDone = useRef(false);
  useEffect(
    () => () => {
      if (!isDone.current && text.peek() !== initial && isLost())
        tellLostText('review.writtenIsGone', text.peek());
    },
    [],
  );
  return () => {
    isDone.current = true;
  };
}

/** The name behind an `@` that is being typed in a field: who is offered for it, and who of them is chosen. */
function useMention(field: RefObject<HTMLTextAreaElement>, text: Signal<string>, mentions: Mentions | null) {
  const cursor = useSignal<number | null>(null);
  const chosen = useSignal(0);
  const mention = useComputed(() =>
    mentions && cursor.value !== null ? mentionAt(text.value, cursor.value) : null,
  );
  const people = useComputed(() =>
    mention.value && mentions ? matching(mentions.users.value, mention.value.query).slice(0, 6) : [],
  );
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
  /** Returns whether the key was for the list of people. */
  const keyDown = ({ key }: KeyboardEvent): boolean => {
    const count = people.value.length;
    if (count === 0) return false;
    const move = { ArrowDown: 1, ArrowUp: count - 1 }[key];
    if (move !== undefined) chosen.value = (chosen.value + move) % count;
    else if (key === 'Enter' || key === 'Tab') choose(people.value[chosen.value]!);
    else if (key === 'Escape') cursor.value = null;
    else return false;
    return true;
  };
  return { people: people.value, chosen: chosen.value, noteCursor, choose, keyDown };
}

/** A field for the text of a comment. Ctrl+Enter sends it, Escape leaves it, `@` names somebody. */
export function CommentForm({
  label,
  submitLabel,
  initial = '',
  longestChars,
  takeAhead,
  mentions,
  isLost,
  onSubmit,
  onCancel,
}: CommentFormProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const text = useSignal(initial);
  const listId = useId();
  const mention = useMention(field, text, mentions);
  const noteDone = useLostText(text, initial, isLost);
  useLayoutEffect(() => {
    const element = field.current!;
    element.focus();
    const ahead = takeAhead?.();
    text.value = element.value += ahead?.text ?? '';
    element.setSelectionRange(element.value.length, element.value.length);
    if (ahead?.isSent) submit();
  }, []);

  const submit = () => {
    if (text.value.trim() === '') return;
    noteDone();
    onSubmit(text.value, mentionedIn(text.value, mentions?.users.value ?? []));
  };
  const cancel = () => {
    noteDone();
    onCancel();
  };
  const keyDown = (event: KeyboardEvent) => {
    if (!mention.keyDown(event)) {
      if (event.key === 'Escape') cancel();
      else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
      else return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const isListing = mention.people.length > 0;
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
        aria-activedescendant={isListing ? `${listId}-${mention.chosen}` : undefined}
        onInput={mention.noteCursor}
        onKeyUp={mention.noteCursor}
        onClick={mention.noteCursor}
        onKeyDown={keyDown}
      />
      {isListing && <MentionList id={listId} {...mention} />}
      <div class="comment-form-actions">
        <Button onClick={cancel}>{t('common.cancel')}</Button>
        <Button kind="primary" type="submit" disabled={text.value.trim() === ''}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

interface MentionListProps {
  id: string;
  people: readonly MentionUser[];
  /** Index of the one that Enter chooses. */
  chosen: number;
  choose: (person: MentionUser) => void;
}

function MentionList({ id, people, chosen, choose }: MentionListProps) {
  return (
    <div class="mention-list" id={id} role="listbox" aria-label={t('review.people')}>
      {people.map((person, index) => (
        <div
          key={person.id ?? person.email ?? person.name}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          onMouseDown={(event) => {
            event.preventDefault();
            choose(person);
          }}
        >
          <span>{person.name}</span> <small>{person.email}</small>
        </div>
      ))}
    </div>
  );
}
