import { useComputed } from '@preact/signals';
import { List, Lock, Plus } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { visibleSheets } from '../../../model/cell/workbook.ts';
import { IconButton } from '../../kit/button.tsx';
import { Menu, MenuButton } from '../../kit/menu.tsx';
import { currentDirection, t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { commit } from '../commands/entering.ts';
import { addSheet, moveSheetBefore, removalDialog, stepSheet } from '../commands/sheets.ts';
import { RemovalDialog } from '../dialogs/removal-dialog.tsx';
import { cssColor } from '../shown/sheet-colors.ts';
import { sheetEntries } from './menus.ts';
import { SelectionSums } from './selection-sums.tsx';
import { useTabDrag } from './tab-drag.ts';

/** The sheets as tabs; a second press on a tab opens what can be done with its sheet. */
export function SheetTabs({ editor, children }: { editor: CellEditor; children?: preact.ComponentChildren }) {
  const [menuOf, setMenuOf] = useState<HTMLElement | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const sheets = useComputed(() => visibleSheets(editor.workbook.value));
  const shown = editor.sheetId.value;
  const theme = editor.workbook.value.properties.theme?.colors;
  useEffect(() => {
    list.current
      ?.querySelector('[aria-selected="true"]')
      ?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [shown]);
  const drag = useTabDrag(list, (id, before) => void moveSheetBefore(editor, id, before));
  const choose = (id: string) => {
    // A formula may be picking cells of another sheet.
    if (editor.editing.peek()?.text.startsWith('=') || commit(editor)) editor.sheets.show(id);
    editor.focus();
  };
  return (
    <div class="sheet-bar">
      <IconButton
        label={t('sheet.addSheet')}
        disabled={!editor.canEdit}
        onClick={() => {
          if (!commit(editor)) return;
          addSheet(editor);
          editor.focus();
        }}
      >
        <Plus size={16} />
      </IconButton>
      <MenuButton
        label={t('sheet.allSheets')}
        entries={() =>
          sheets.value.map(({ id, properties }) => ({
            label: properties.name,
            checked: id === shown,
            run: () => choose(id),
          }))
        }
      >
        <List size={16} />
      </MenuButton>
      <div
        ref={list}
        class="sheet-tabs"
        role="tablist"
        aria-label={t('sheet.sheets')}
        {...(editor.canEdit && drag.handlers)}
        onKeyDown={(event) => {
          const forward = currentDirection() === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
          const backward = currentDirection() === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
          if (event.key !== forward && event.key !== backward) return;
          event.preventDefault();
          stepSheet(editor, event.key === forward ? 1 : -1);
          requestAnimationFrame(() =>
            list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus(),
          );
        }}
      >
        {sheets.value.map(({ id, properties }) => {
          const color = cssColor(properties.color, theme);
          const holder = editor.held.value.get(id);
          const isHeld = holder ? t('sheet.openedBy', { name: holder.name }) : null;
          return (
            <button
              key={id}
              type="button"
              role="tab"
              class={`sheet-tab ${drag.target === id ? 'sheet-tab-target' : ''}`}
              data-tab={id}
              aria-selected={id === shown}
              tabIndex={id === shown ? 0 : -1}
              style={color === null ? {} : { '--sheet-color': color }}
              title={isHeld ?? properties.name}
              onMouseDown={(event) => event.preventDefault()}
              onClick={(event) => {
                // The press that has dragged a tab ends with a click on what is beneath it.
                if (drag.wasDrag()) return;
                if (id === shown && editor.canEdit) setMenuOf(event.currentTarget);
                else choose(id);
              }}
              onDblClick={() => {
                setMenuOf(null);
                if (editor.canEdit) editor.dialog.value = 'renameSheet';
              }}
              onContextMenu={(event) => {
                event.preventDefault();
                choose(id);
                setMenuOf(event.currentTarget);
              }}
            >
              {properties.protection && <Lock size={12} role="img" aria-label={t('rules.isProtected')} />}
              {properties.name}
              {holder && (
                <span class="sheet-holder" style={{ '--person': holder.color }}>
                  <span class="visually-hidden"> ({isHeld})</span>
                </span>
              )}
            </button>
          );
        })}
        {drag.target === 'end' && <span class="sheet-tab-target" />}
      </div>
      {menuOf && (
        <Menu
          label={t('sheet.sheet')}
          anchor={menuOf}
          entries={sheetEntries(editor)}
          onClose={() => {
            setMenuOf(null);
            editor.focus();
          }}
        />
      )}
      {editor.dialog.value === removalDialog && <RemovalDialog editor={editor} />}
      <span class="sheet-bar-space" />
      <SelectionSums editor={editor} />
      {children}
    </div>
  );
}
