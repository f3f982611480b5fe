import { ArrowDown, ArrowUp, X } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from '../kit/button.tsx';
import { t } from '../strings/strings.ts';
import type { Search } from './pdf/page-view.ts';
import type { Viewer } from './viewer.ts';
import '../shell/bars/find-bar.css';

/** Finds text in all pages. Stays open while one reads on; Escape closes it. */
export function FindBar({ viewer }: { viewer: Viewer }) {
  const field = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useState<Search>({ text: '', caseSensitive: false, wholeWord: false });
  const pages = viewer.pages.value;
  const asked = viewer.findAsked.value;

  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [asked]);
  useEffect(() => () => pages?.search({ ...search, text: '' }), [pages]);
  useEffect(() => pages?.search(search), [pages, search]);
  if (!pages) return null;

  const { current, total, isSearching } = pages.matches.value;
  const close = () => {
    viewer.isFinding.value = false;
    pages.focus();
  };
  const option = (name: 'caseSensitive' | 'wholeWord') => (
    <label class="find-option">
      <input
        type="checkbox"
        checked={search[name]}
        onChange={(event) => setSearch({ ...search, [name]: event.currentTarget.checked })}
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
        value={search.text}
        onInput={(event) => setSearch({ ...search, text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && total > 0) pages.searchOn(search, event.shiftKey);
        }}
      />
      <span class="find-count" role="status">
        {search.text !== '' && countOf(current, total, isSearching)}
      </span>
      <IconButton
        label={t('find.previous')}
        shortcut="Shift+↵"
        disabled={total === 0}
        onClick={() => pages.searchOn(search, true)}
      >
        <ArrowUp size={18} />
      </IconButton>
      <IconButton
        label={t('find.next')}
        shortcut="↵"
        disabled={total === 0}
        onClick={() => pages.searchOn(search, false)}
      >
        <ArrowDown size={18} />
      </IconButton>
      {option('caseSensitive')}
      {option('wholeWord')}
      <IconButton label={t('common.close')} onClick={close}>
        <X size={18} />
      </IconButton>
    </search>
  );
}

function countOf(current: number, total: number, isSearching: boolean): string {
  if (total > 0) return t('viewer.matchOf', { current, total });
  return isSearching ? t('viewer.searching') : t('viewer.noMatch');
}
