import { ChevronDown } from 'lucide-preact';
import { useEffect, useRef } from 'preact/hooks';
import { MenuButton } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { setOperation } from '../commands/cell-input.ts';
import { choicesHere } from '../commands/validating.ts';
import { validationAt } from '../commands/validation.ts';
import { sideBehind } from './cell-side.ts';
import type { GestureState } from './gestures/gesture-state.ts';

/** As wide as the button is. */
const buttonPx = 22;

/** The button beside the active cell, where that has a list to choose from. */
export function ChoiceList({ editor, state }: { editor: CellEditor; state: GestureState }) {
  const place = useRef<HTMLDivElement>(null);
  const isAsked = state.opened.value?.kind === 'list';
  useEffect(() => {
    if (!isAsked) return;
    state.opened.value = null;
    place.current?.querySelector('button')?.click();
  }, [state, isAsked]);
  const cell = editor.selection.value.active;
  const view = editor.page.view.value;
  const rule = validationAt(view.sheet, cell);
  if (!editor.canEdit || editor.editing.value || !rule || rule.hidesArrow) return null;
  const choices = choicesHere(editor, rule, cell);
  const rect = editor.grid?.rectOfCell(cell);
  if (!choices || !rect) return null;
  const side = sideBehind(editor.grid!.layout, rect, buttonPx);
  const choose = (text: string) => {
    const input = { ...cell, text, cell: editor.page.editedCell(cell) };
    editor.change(setOperation(view.sheet.id, [input], editor.page.settings));
    editor.focus();
  };
  return (
    <div ref={place} class="choice-list" style={{ ...side, top: `${rect.y}px` }}>
      <MenuButton
        label={t('sheet.choose')}
        entries={() => choices.map((label) => ({ label, run: () => choose(label) }))}
      >
        <ChevronDown size={14} />
      </MenuButton>
    </div>
  );
}
