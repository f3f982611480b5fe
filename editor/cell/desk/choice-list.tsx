import { ChevronDown } from 'lucide-preact';
import { MenuButton } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { setOperation } from '../commands/cell-input.ts';
import { choicesOf, validationAt } from '../commands/validation.ts';

/** The button beside the active cell, where that has a list to choose from. */
export function ChoiceList({ editor }: { editor: CellEditor }) {
  const cell = editor.selection.value.active;
  const view = editor.view.value;
  const rule = validationAt(view.sheet, cell);
  if (!editor.canEdit || editor.editing.value || !rule || rule.hidesArrow) return null;
  const choices = choicesOf(rule, editor.workbook.value, view.sheet, cell, editor.settings);
  const rect = editor.grid?.rectOfCell(cell);
  if (!choices || !rect) return null;
  const choose = (text: string) => {
    const input = { ...cell, text, cell: editor.editedCell(cell) };
    editor.change(setOperation(view.sheet.id, [input], editor.settings));
    editor.focus();
  };
  return (
    <div class="choice-list" style={{ left: `${rect.x + rect.width}px`, top: `${rect.y}px` }}>
      <MenuButton
        label={t('sheet.choose')}
        entries={() => choices.map((label) => ({ label, run: () => choose(label) }))}
      >
        <ChevronDown size={14} />
      </MenuButton>
    </div>
  );
}
