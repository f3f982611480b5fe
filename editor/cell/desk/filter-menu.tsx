import { useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Popover } from '../../kit/popover.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { type FilteredColumn, filterAt, setFilter, valuesOf } from '../commands/filtering.ts';
import { sortRange } from '../commands/sorting.ts';
import type { GestureState } from './gestures.ts';

/** Chooses the values that a filtered column shows, or sorts by it. */
export function FilterMenu({ editor, state }: { editor: CellEditor; state: GestureState }) {
  const anchor = useRef<HTMLDivElement>(null);
  const opened = state.opened.value;
  const column = opened ? filterAt(editor, opened.cell) : null;
  const rect = opened ? editor.grid?.rectOfCell(opened.cell) : null;
  const close = () => {
    state.opened.value = null;
    editor.focus();
  };
  return (
    <>
      <div
        ref={anchor}
        class="cell-menu-anchor"
        style={rect ? { left: `${rect.x + rect.width - 16}px`, top: `${rect.y + rect.height}px` } : {}}
      />
      {column && rect && anchor.current && (
        <Popover anchor={anchor.current} label={t('sheet.filter')} onClose={close}>
          <FilterForm
            key={`${opened!.cell.row} ${opened!.cell.column}`}
            editor={editor}
            column={column}
            onClose={close}
          />
        </Popover>
      )}
    </>
  );
}

interface FilterFormProps {
  editor: CellEditor;
  column: FilteredColumn;
  onClose: () => void;
}

const mostListed = 1_000;

function FilterForm({ editor, column, onClose }: FilterFormProps) {
  const values = useMemo(() => valuesOf(editor, column), [editor, column]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(column.shown ?? values.map(({ text }) => text)),
  );
  const [search, setSearch] = useState('');
  const isMatch = (text: string) => text.toLowerCase().includes(search.toLowerCase());
  const listed = values.filter(({ text }) => isMatch(text));
  const all = listed.every(({ text }) => chosen.has(text));
  const sort = (direction: 1 | -1) => () => {
    sortRange(editor, column.body, column.column, direction);
    onClose();
  };
  const toggle = (texts: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const text of texts) {
      if (on) next.add(text);
      else next.delete(text);
    }
    setChosen(next);
  };
  const apply = (shown: ReadonlySet<string> | null) => {
    setFilter(editor, column, shown);
    onClose();
  };
  return (
    <form
      class="filter-menu"
      onSubmit={(event) => {
        event.preventDefault();
        const isAll = values.every(({ text }) => chosen.has(text));
        apply(isAll ? null : chosen);
      }}
    >
      <div class="filter-sorts">
        <Button onClick={sort(1)}>{t('sheet.sortRising')}</Button>
        <Button onClick={sort(-1)}>{t('sheet.sortFalling')}</Button>
      </div>
      <input
        type="search"
        aria-label={t('sheet.searchValues')}
        placeholder={t('sheet.searchValues')}
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
      />
      <div class="filter-values">
        <label>
          <input
            type="checkbox"
            checked={all}
            onChange={(event) =>
              toggle(
                listed.map(({ text }) => text),
                event.currentTarget.checked,
              )
            }
          />
          {t('sheet.allValues')}
        </label>
        {listed.slice(0, mostListed).map(({ text, count }) => (
          <label key={text}>
            <input
              type="checkbox"
              checked={chosen.has(text)}
              onChange={(event) => toggle([text], event.currentTarget.checked)}
            />
            {text === '' ? t('sheet.blanks') : text} ({count})
          </label>
        ))}
      </div>
      <div class="filter-actions">
        <Button onClick={() => apply(null)}>{t('sheet.clearFilter')}</Button>
        <Button kind="primary" type="submit">
          {t('sheet.applyFilter')}
        </Button>
      </div>
    </form>
  );
}
