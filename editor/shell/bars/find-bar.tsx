import { ArrowDown, ArrowUp, X } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Command } from 'prosemirror-state';
import { announce } from '../../kit/announce.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { revealSelection } from '../../word/commands/selection.ts';
import type { WordEditor } from '../../word/word-editor.ts';
import './find-bar.css';
import {
  findNext,
  findPrevious,
  findState,
  replaceAll,
  replaceNext,
  updateFind,
} from '../../word/find/find-feature.ts';
import { Matches } from '../../word/find/matches.ts';
import '../../word/find/matches.css';

/** Finds and replaces. Stays open while one types; Escape closes it. */
export function FindBar({ editor }: { editor: WordEditor }) {
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState({
    search: selectedText(editor),
    caseSensitive: false,
    wholeWord: false,
  });
  const [replacement, setReplacement] = useState('');
  const { count = 0, isComplete = true } = findState(editor.state.value) ?? {};

  useEffect(() => {
    field.current?.select();
    return () => search(editor, null);
  }, [editor]);
  useEffect(() => search(editor, query.search === '' ? null : new Matches(query)), [editor, query]);

  const act = (command: Command) => {
    command(editor.session.state, (transaction) => editor.dispatch(transaction));
    if (editor.view) revealSelection(editor.view);
  };
  const close = () => {
    editor.dialog.value = null;
    editor.view?.focus();
  };
  const option = (name: 'caseSensitive' | 'wholeWord') => (
    <label class="find-option">
      <input
        type="checkbox"
        checked={query[name]}
        onChange={(event) => setQuery({ ...query, [name]: event.currentTarget.checked })}
      />
      {t(`find.${name}`)}
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
        value={query.search}
        onInput={(event) => setQuery({ ...query, search: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter') act(event.shiftKey ? findPrevious : findNext);
        }}
      />
      <span class="find-count" role="status">
        {query.search !== '' && (count > 0 || isComplete) && t('find.matches', { count })}
      </span>
      <IconButton
        label={t('find.previous')}
        shortcut="Shift+↵"
        disabled={count === 0}
        onClick={() => act(findPrevious)}
      >
        <ArrowUp size={18} />
      </IconButton>
      <IconButton label={t('find.next')} shortcut="↵" disabled={count === 0} onClick={() => act(findNext)}>
        <ArrowDown size={18} />
      </IconButton>
      {option('caseSensitive')}
      {option('wholeWord')}
      {editor.role.canEdit && (
        <span class="find-replace">
          <input
            aria-label={t('find.replaceWith')}
            placeholder={t('find.replaceWith')}
            value={replacement}
            onInput={(event) => setReplacement(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && count > 0) act(replaceNext(replacement));
            }}
          />
          <Button disabled={count === 0} onClick={() => act(replaceNext(replacement))}>
            {t('find.replace')}
          </Button>
          <Button
            disabled={count === 0}
            onClick={() => {
              act(replaceAll(replacement));
              announce(t('find.replaced', { count }));
            }}
          >
            {t('find.replaceAll')}
          </Button>
        </span>
      )}
      <IconButton label={t('common.close')} onClick={close}>
        <X size={18} />
      </IconButton>
    </search>
  );
}

function search(editor: WordEditor, matches: Matches | null): void {
  editor.dispatch(updateFind(editor.session.state.tr, { matches, count: 0, isComplete: false }));
}

/** A short selection is most likely what is to be found. */
function selectedText(editor: WordEditor): string {
  const { doc, selection } = editor.session.state;
  const text = doc.textBetween(selection.from, selection.to, '\n');
  return text.length <= 100 && !text.includes('\n') ? text : '';
}
