import { useState } from 'preact/hooks';
import { Menu } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { columnEntries } from '../commands/column-entries.ts';
import { enterEach } from '../commands/entering.ts';
import type { CellPosition } from '../grid/cell-areas.ts';

export interface OpenedProps {
  readonly editor: CellEditor;
  /** The cell that it is open for. */
  readonly cell: CellPosition;
  readonly onClose: () => void;
}

/** The entries of the column around a cell, in their order, to choose one of them for it. */
export function PickList({ editor, cell, onClose }: OpenedProps) {
  const [place, setPlace] = useState<HTMLDivElement | null>(null);
  const rect = editor.grid?.rectOfCell(cell);
  if (!rect) return null;
  const choose = (text: string) => {
    enterEach(editor, [{ ...cell, text }]);
    editor.focus();
  };
  const { compare } = new Intl.Collator(editor.page.settings.locale, { numeric: true });
  return (
    <>
      <div
        ref={setPlace}
        class="cell-menu-anchor"
        style={{ left: `${rect.x}px`, top: `${rect.y + rect.height}px` }}
      />
      {place && (
        <Menu
          label={t('sheet.choose')}
          anchor={place}
          entries={columnEntries(editor, cell)
            .toSorted(compare)
            .map((label) => ({ label, run: () => choose(label) }))}
          onClose={onClose}
        />
      )}
    </>
  );
}
