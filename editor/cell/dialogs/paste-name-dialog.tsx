import { useState } from 'preact/hooks';
import { itemsOf } from '../../../model/cell/workbook.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { SelectField } from '../../kit/select-field.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { typeOver } from '../commands/entering.ts';
import { shownNames } from '../commands/names.ts';
import { withText } from '../editing/cell-editing.ts';
import { isFormula } from '../editing/typed-tokens.ts';
import type { RuleDialogProps } from './rule-dialog.ts';

/** Puts a name or a table into the formula that is typed, or begins one in the active cell. */
export function PasteNameDialog({ editor, onClose }: RuleDialogProps) {
  const names = namesForFormula(editor);
  const [name, setName] = useState(names[0] ?? '');
  return (
    <FormDialog
      title={t('rules.pasteName')}
      submitLabel={t('dialogs.insert')}
      canSubmit={names.includes(name)}
      onClose={onClose}
      onSubmit={() => {
        onClose();
        // Nothing behind the dialog can have the focus before it is gone.
        setTimeout(() => insertName(editor, name));
      }}
    >
      {names.length === 0 ? (
        <p>{t('ruleDialogs.noNames')}</p>
      ) : (
        <SelectField
          label={t('sheet.name')}
          options={names.map((one) => [one, one] as const)}
          value={name}
          data-first
          size={Math.min(12, Math.max(2, names.length))}
          onChoose={setName}
        />
      )}
    </FormDialog>
  );
}

/** What a formula of the cell that is typed into can call by a name: those of its sheet and of the workbook, and tables. */
function namesForFormula(editor: CellEditor): string[] {
  const { workbook, sheetId, settings } = editor.page;
  const sheet = editor.editing.value?.sheet ?? sheetId.value;
  const names = shownNames(editor).filter(([, { scope = null }]) => scope === null || scope === sheet);
  const tables = workbook.value.sheets.flatMap((one) => [...itemsOf(one, 'table').values()]);
  const all = new Set([...names.map(([, { name }]) => name), ...tables.map(({ name }) => name)]);
  return [...all].toSorted(new Intl.Collator(settings.locale, { numeric: true }).compare);
}

function insertName(editor: CellEditor, name: string): void {
  if (!editor.editing.peek()) typeOver(editor, '=');
  const editing = editor.editing.peek();
  if (!editing) return;
  const { text, from } = editing;
  // A formula begins with its sign, wherever the cursor is.
  const isBefore = isFormula(text) && from === 0;
  const placed = isBefore ? { ...editing, from: 1, to: Math.max(1, editing.to) } : editing;
  editor.editing.value = withText(placed, text === '' ? `=${name}` : name);
}
