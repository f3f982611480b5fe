import { useState } from 'preact/hooks';
import { Popover } from '../../kit/popover.tsx';
import { t } from '../../strings/strings.ts';
import { filterAt } from '../commands/filtered-lists.ts';
import { FilterForm } from './filter-form.tsx';
import type { OpenedProps } from './pick-list.tsx';

/** Chooses what a filtered column shows, or sorts by it. */
export function FilterMenu({ editor, cell, onClose }: OpenedProps) {
  const [anchor, setAnchor] = useState<HTMLDivElement | null>(null);
  const column = filterAt(editor, cell);
  const rect = editor.grid?.rectOfCell(cell);
  if (!column || !rect) return null;
  return (
    <>
      <div
        ref={setAnchor}
        class="cell-menu-anchor"
        style={{ left: `${rect.x + rect.width - 16}px`, top: `${rect.y + rect.height}px` }}
      />
      {anchor && (
        <Popover anchor={anchor} label={t('sheet.filter')} onClose={onClose}>
          <FilterForm key={`${cell.row} ${cell.column}`} editor={editor} column={column} onClose={onClose} />
        </Popover>
      )}
    </>
  );
}
