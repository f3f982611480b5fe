import { useComputed } from '@preact/signals';
import { List, Lock, Plus } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Sheet, visibleSheets } from '../../../model/cell/workbook.ts';
import { arrowStep } from '../../kit/arrow-step.ts';
import { IconButton } from '../../kit/button.tsx';
import { Menu, MenuButton } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { commit } from '../commands/entering.ts';
import { addSheet, moveSheetBefore, stepSheet } from '../commands/sheets.ts';
import { cssColor } from '../shown/sheet-colors.ts';
import { SelectionSums } from './later-sums.tsx';
import { isLeft } from './left-open.ts';
import { sheetEntries } from './menus.ts';
import { type TabDrag, useTabDrag } from './tab-drag.ts';

interface Part {
  editor: CellEditor;
}

/** The sheets as tabs; a second press on a tab opens what can be done with its sheet. */
export function SheetTabs({ editor, children }: Part & { children?: preact.ComponentChildren }) {
  const [menuOf, setMenuOf] = useState<HTMLElement | null>(null);
  const sheets = useComputed(() => visibleSheets(editor.page.workbook.value));
  return (
    <div class="sheet-bar">
      <AddButton editor={editor} />
      <AllSheetsButton editor={editor} sheets={sheets.value} />
      <TabList editor={editor} sheets={sheets.value} onMenu={setMenuOf} />
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
      <span class="sheet-bar-space" />
      <SelectionSums editor={editor} />
      {children}
    </div>
  );
}

function choose(editor: CellEditor, id: string): void {
  // A formula may be picking cells of another sheet.
  if (editor.editing.peek()?.text.startsWith('=') || commit(editor)) editor.sheets.show(id);
  editor.focus();
}

function AddButton({ editor }: Part) {
  return (
    <IconButton
      label={t('sheet.addSheet')}
      disabled={!editor.canEdit || !isLeft(editor, 'addSheet')}
      onClick={() => {
        if (!commit(editor)) return;
        addSheet(editor);
        editor.focus();
      }}
    >
      <Plus size={16} />
    </IconButton>
  );
}

interface SheetsPart extends Part {
  /** Those that are not hidden. */
  sheets: readonly Sheet[];
}

function AllSheetsButton({ editor, sheets }: SheetsPart) {
  return (
    <MenuButton
      label={t('sheet.allSheets')}
      entries={() =>
        sheets.map(({ id, properties }) => ({
          label: properties.name,
          checked: id === editor.page.sheetId.value,
          run: () => choose(editor, id),
        }))
      }
    >
      <List size={16} />
    </MenuButton>
  );
}

interface MenuPart {
  /** Opens the menu of the sheet that is shown beside its tab, or closes it. */
  onMenu: (tab: HTMLElement | null) => void;
}

function TabList({ editor, sheets, onMenu }: SheetsPart & MenuPart) {
  const list = useRef<HTMLDivElement>(null);
  const shown = editor.page.sheetId.value;
  useEffect(() => {
    list.current
      ?.querySelector('[aria-selected="true"]')
      ?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [shown]);
  const drag = useTabDrag(list, (id, before) => void moveSheetBefore(editor, id, before));
  return (
    <div
      ref={list}
      class="sheet-tabs"
      role="tablist"
      aria-label={t('sheet.sheets')}
      {...(editor.canEdit && drag.handlers)}
      onKeyDown={(event) => {
        const step = arrowStep(event.key);
        if (step === 0) return;
        event.preventDefault();
        stepSheet(editor, step);
        requestAnimationFrame(() =>
          list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus(),
        );
      }}
    >
      {sheets.map((sheet) => (
        <Tab key={sheet.id} {...{ editor, sheet, drag, onMenu }} />
      ))}
      {drag.target === 'end' && <span class="sheet-tab-target" />}
    </div>
  );
}

interface TabProps extends Part, MenuPart {
  sheet: Sheet;
  drag: TabDrag;
}

function Tab({ editor, sheet: { id, properties }, drag, onMenu }: TabProps) {
  const isShown = id === editor.page.sheetId.value;
  const color = cssColor(properties.color, editor.page.workbook.value.properties.theme?.colors);
  const holder = editor.held.value.get(id);
  const isHeld = holder ? t('sheet.openedBy', { name: holder.name }) : null;
  return (
    <button
      type="button"
      role="tab"
      class={`sheet-tab ${drag.target === id ? 'sheet-tab-target' : ''}`}
      data-tab={id}
      aria-selected={isShown}
      tabIndex={isShown ? 0 : -1}
      style={color === null ? {} : { '--sheet-color': color }}
      title={isHeld ?? properties.name}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        if (isShown && editor.canEdit) onMenu(event.currentTarget);
        else choose(editor, id);
      }}
      onDblClick={() => {
        onMenu(null);
        if (editor.canEdit) editor.dialog.value = 'renameSheet';
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        choose(editor, id);
        onMenu(event.currentTarget);
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
}
