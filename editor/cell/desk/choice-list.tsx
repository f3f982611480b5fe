import { ChevronDown } from 'lucide-preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Sheet } from '../../../model/cell/workbook.ts';
import { MenuButton } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { setOperation } from '../commands/cell-input.ts';
import { totalsAt } from '../commands/table-growth.ts';
import { changeTotal, totalsNames } from '../commands/table-totals.ts';
import { choicesHere } from '../commands/validating.ts';
import { validationAt } from '../commands/validation.ts';
import type { CellPosition } from '../grid/cell-areas.ts';
import { sideBehind } from './cell-side.ts';
import type { GestureState } from './gestures/gesture-state.ts';

/** As wide as the button is. */
const buttonPx = 22;

interface Entry {
  readonly label: string;
  readonly checked?: boolean;
  readonly run: () => void;
}

/** What a validation gives a cell to choose from; null without a list. */
function ruledEntries(editor: CellEditor, sheet: Sheet, cell: CellPosition): Entry[] | null {
  const rule = validationAt(sheet, cell);
  const choices = rule && !rule.hidesArrow ? choicesHere(editor, rule, cell) : null;
  const choose = (text: string) => {
    const input = { ...cell, text, cell: editor.page.editedCell(cell) };
    editor.change(setOperation(sheet.id, [input], editor.page.settings));
    editor.focus();
  };
  return choices?.map((label) => ({ label, run: () => choose(label) })) ?? null;
}

/** The totals that a column of a table can have, in its row of totals; null elsewhere. */
function totalsEntries(editor: CellEditor, sheet: Sheet, cell: CellPosition): Entry[] | null {
  const found = totalsAt(sheet, cell);
  if (!found) return null;
  const now = found.table.columns[found.at]?.totalsFunction ?? null;
  return [null, ...totalsNames].map((name) => ({
    label: t(`sheet.totals_${name ?? 'none'}`),
    checked: name === now,
    run: () => {
      editor.change(changeTotal(editor.page, found, name));
      editor.focus();
    },
  }));
}

export interface ChoiceListProps {
  readonly editor: CellEditor;
  readonly state: GestureState;
}

/** The button beside the active cell, where that has a list to choose from. */
export function ChoiceList({ editor, state }: ChoiceListProps) {
  const place = useRef<HTMLDivElement>(null);
  const isAsked = state.opened.value?.kind === 'list';
  useEffect(() => {
    if (!isAsked) return;
    state.opened.value = null;
    place.current?.querySelector('button')?.click();
  }, [state, isAsked]);
  const cell = editor.selection.value.active;
  const view = editor.page.view.value;
  if (!editor.canEdit || editor.editing.value) return null;
  const rect = editor.grid?.rectOfCell(cell);
  const entries = rect && (ruledEntries(editor, view.sheet, cell) ?? totalsEntries(editor, view.sheet, cell));
  if (!entries) return null;
  const side = sideBehind(editor.grid!.layout, rect, buttonPx);
  return (
    <div ref={place} class="choice-list" style={{ ...side, top: `${rect.y}px` }}>
      <MenuButton label={t('sheet.choose')} entries={() => entries}>
        <ChevronDown size={14} />
      </MenuButton>
    </div>
  );
}
