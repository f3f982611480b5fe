import { useRef } from 'preact/hooks';
import { later } from '../../kit/later.tsx';
import { Popover } from '../../kit/popover.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { filterAt } from '../commands/filtered-lists.ts';
import type { GestureState } from './gestures/gesture-state.ts';

const FilterForm = later(async () => (await import('./filter-form.tsx')).FilterForm);

/** Chooses what a filtered column shows, or sorts by it. */
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
