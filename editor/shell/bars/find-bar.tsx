import { ArrowDown, ArrowUp, X } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../../kit/announce.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import type { DocumentEditor } from '../document-editor.ts';
import './find-bar.css';

/** What is looked for; an empty text ends the search. */
export interface SearchQuery {
  readonly text: string;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
}

/** Something more that a kind of document can be searched by. */
export interface FindOption {
  readonly label: string;
  readonly isOn: boolean;
  toggle(): void;
}

/** How a document of a kind is searched. */
export interface Finder {
  /** What stands at the choice of whole words, where these are something else. */
  readonly wholeLabel?: string;
  readonly options?: readonly FindOption[];
  /** What the field has at first. */
  readonly initialText: string;
  /** How many matches there are as far as is known, and that in words; changes are drawn if it reads signals. */
  readonly found: { readonly count: number; readonly text: string };
  /** Looks for a text from the beginning. */
  search(query: SearchQuery): void;
  /** Shows the next match, or the one before. */
  next(): void;
  previous(): void;
  /** Absent where this person may change nothing. */
  readonly replacing?: ReplacingFinder | undefined;
}

/** How matches are replaced. */
export interface ReplacingFinder {
  /** Replaces the match that is shown and shows the next. */
  replace(text: string): void;
  replaceAll(text: string): void;
}

interface FindBarProps {
  editor: DocumentEditor;
  finder: Finder;
  /** Another number when somebody wants to find who finds already: the field gets the focus. */
  asked?: number;
}

/** Finds and replaces. Stays open while one types; Escape closes it. */
export function FindBar({ editor, finder, asked = 0 }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState<SearchQuery>({
    text: finder.initialText,
    caseSensitive: false,
    wholeWord: false,
  });
  const { count, text } = finder.found;

  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [asked, finder]);
  useEffect(() => () => finder.search({ ...query, text: '' }), [finder]);
  useEffect(() => finder.search(query), [finder, query]);

  const close = () => {
    editor.dialog.value = null;
    editor.focus();
  };
  const option = (name: 'caseSensitive' | 'wholeWord') => (
    <label class="find-option">
      <input
        type="checkbox"
        checked={query[name]}
        onChange={(event) => setQuery({ ...query, [name]: event.currentTarget.checked })}
      />
      {(name === 'wholeWord' && finder.wholeLabel) || t(`find.${name}`)}
    </label>
  );
  return (
    <search
      class="find-bar"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
    >
      <input
        ref={field}
        type="search"
        aria-label={t('find.find')}
        placeholder={t('find.find')}
        value={query.text}
        onInput={(event) => setQuery({ ...query, text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          if (event.shiftKey) finder.previous();
          else finder.next();
        }}
      />
      <span class="find-count" role="status">
        {query.text !== '' && text}
      </span>
      <IconButton
        label={t('find.previous')}
        shortcut="Shift+↵"
        disabled={count === 0}
        onClick={() => finder.previous()}
      >
        <ArrowUp size={18} />
      </IconButton>
      <IconButton label={t('find.next')} shortcut="↵" disabled={count === 0} onClick={() => finder.next()}>
        <ArrowDown size={18} />
      </IconButton>
      {option('caseSensitive')}
      {option('wholeWord')}
      {finder.options?.map(({ label, isOn, toggle }) => (
        <label key={label} class="find-option">
          <input type="checkbox" checked={isOn} onChange={toggle} />
          {label}
        </label>
      ))}
      {finder.replacing && (
        <ReplaceFields
          replacing={finder.replacing}
          count={count}
          // The button that was pressed has nothing to do any more, and would take the focus with it.
          onReplacedAll={() => field.current?.focus()}
        />
      )}
      <IconButton label={t('common.close')} onClick={close}>
        <X size={18} />
      </IconButton>
    </search>
  );
}

interface ReplaceFieldsProps {
  replacing: ReplacingFinder;
  /** How many matches there are. */
  count: number;
  onReplacedAll: () => void;
}

function ReplaceFields({ replacing, count, onReplacedAll }: ReplaceFieldsProps) {
  const [replacement, setReplacement] = useState('');
  return (
    <span class="find-replace">
      <input
        aria-label={t('find.replaceWith')}
        placeholder={t('find.replaceWith')}
        value={replacement}
        onInput={(event) => setReplacement(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && count > 0) replacing.replace(replacement);
        }}
      />
      <Button disabled={count === 0} onClick={() => replacing.replace(replacement)}>
        {t('find.replace')}
      </Button>
      <Button
        disabled={count === 0}
        onClick={() => {
          replacing.replaceAll(replacement);
          announce(t('find.replaced', { count }));
          onReplacedAll();
        }}
      >
        {t('find.replaceAll')}
      </Button>
    </span>
  );
}
