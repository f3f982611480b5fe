import { useRef } from 'preact/hooks';
import { Menu } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { columnEntries } from '../commands/column-entries.ts';
import { enterEach } from '../commands/entering.ts';
import type { GestureState } from './gestures/gesture-state.ts';

/** The entries of the column around a cell, in their order, to choose one of them for it. */
export function PickList({ editor, state }: { editor: CellEditor; state: GestureState }) {
  const place = useRef<HTMLDivElement>(null);
  const opened = state.opened.value;
  const cell = opened?.kind === 'entries' ? opened.cell : null;
  const rect = cell && editor.grid?.rectOfCell(cell);
  const close = () => {
    state.opened.value = null;
    editor.focus();
  };
  const choose = (text: string) => {
    if (cell) enterEach(editor, [{ ...cell, text }]);
    editor.focus();
  };
  const { compare } = new Intl.Collator(editor.page.settings.locale, { numeric: true });
  return (
    <>
      <div
        ref={place}
        class="cell-menu-anchor"
        style={rect ? { left: `${rect.x}px`, top: `${rect.y + rect.height}px` } : {}}
      />
      {rect && place.current && (
        <Menu
          label={t('sheet.choose')}
          anchor={place.current}
          entries={columnEntries(editor, cell!)
            .toSorted(compare)
            .map((label) => ({ label, run: () => choose(label) }))}
          onClose={close}
        />
      )}
    </>
  );
}
