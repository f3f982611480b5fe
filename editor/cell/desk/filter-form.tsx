import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { texts } from '../../strings/en/filtering.ts';
import { addLaterTexts, t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { choiceOf, columnOfChoice, type FilterChoice } from '../commands/filter-conditions.ts';
import type { FilteredColumn } from '../commands/filtered-lists.ts';
import { setFilter, valuesOf } from '../commands/filtering.ts';
import { columnOfValues } from '../commands/listed-values.ts';
import { sortRange } from '../commands/sorting.ts';
import { editedNumber } from '../formats/edited-text.ts';
import { leavesAct } from '../toolbar/left-open.ts';
import { FilterColors } from './filter-colors.tsx';
import { FilterConditionFields } from './filter-condition.tsx';
import { FilterValues } from './filter-values.tsx';

await addLaterTexts(texts, {
  de: () => import('../../strings/de/filtering.ts'),
  ar: () => import('../../strings/ar/filtering.ts'),
});

interface FilterFormProps {
  editor: CellEditor;
  column: FilteredColumn;
  onClose: () => void;
}

/** What a column may be filtered and sorted by. */
export function FilterForm({ editor, column, onClose }: FilterFormProps) {
  const values = useMemo(() => valuesOf(editor, column), [editor, column]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(values.filter(({ isShown }) => isShown).map(({ key }) => key)),
  );
  const [choice, setChoice] = useState<FilterChoice | null>(
    () =>
      column.own &&
      choiceOf(column.own, (number) => {
        const { row, column: at } = { row: column.body[0], column: column.column };
        const { number: pattern = 'General' } = editor.page.formatAt({ row, column: at });
        return editedNumber(number, pattern, editor.page.settings);
      }),
  );
  const [isWrong, setWrong] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The surface that it lies on is shown behind this.
    const frame = requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('button:enabled, select')?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, []);
  const canSort = editor.canEdit && leavesAct(editor, 'sort');
  const canFilter = editor.canEdit && editor.role.canFilter && leavesAct(editor, 'filter');
  const run = (change: () => boolean) => () => {
    change();
    onClose();
  };
  const sort = (direction: 1 | -1) => run(() => sortRange(editor, column.body, column.column, direction));
  const apply = () => {
    const at = column.column - column.body[1];
    if (choice) {
      const own = columnOfChoice(at, choice, editor.page.settings);
      setWrong(own === null);
      if (own && setFilter(editor, column, own)) onClose();
      return;
    }
    const isAll = values.every(({ key }) => chosen.has(key));
    setFilter(editor, column, isAll ? null : columnOfValues(at, values, chosen));
    onClose();
  };
  return (
    <form
      ref={form}
      class="filter-menu"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <div class="filter-sorts">
        <Button disabled={!canSort} onClick={sort(1)}>
          {t('sheet.sortRising')}
        </Button>
        <Button disabled={!canSort} onClick={sort(-1)}>
          {t('sheet.sortFalling')}
        </Button>
      </div>
      <FilterColors {...{ editor, column, canSort, canFilter, onClose }} />
      <FilterConditionFields choice={choice} isWrong={isWrong} onChange={setChoice} />
      {!choice && (
        <FilterValues
          values={values}
          chosen={chosen}
          locale={editor.page.settings.locale}
          onChoose={setChosen}
        />
      )}
      <div class="filter-actions">
        <Button disabled={!canFilter} onClick={run(() => setFilter(editor, column, null))}>
          {t('filtering.clearFilter')}
        </Button>
        <Button kind="primary" type="submit" disabled={!canFilter || (!choice && chosen.size === 0)}>
          {t('filtering.applyFilter')}
        </Button>
      </div>
    </form>
  );
}
