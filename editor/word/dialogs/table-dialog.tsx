import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import { insertTable } from '../commands/insert.ts';
import type { DialogProps } from './dialog-props.ts';

/** Styles by which a table has lines, in order of preference; Word's own name for the usual one is the first. */
const griddedStyles = ['TableGrid', 'Table Grid'];
const twipsPerPixel = 15;

export function TableDialog({ editor, onClose }: DialogProps) {
  const section = editor.document.sections.at(-1);
  const widthTwips = section ? section.width - section.marginLeft - section.marginRight : 9_000;
  const style = editor.sheet.all.find(
    ({ id, name, type }) => type === 'table' && (griddedStyles.includes(id) || griddedStyles.includes(name)),
  );
  return (
    <FormDialog
      title={t('dialogs.table')}
      submitLabel={t('dialogs.insert')}
      onClose={onClose}
      onSubmit={(fields) => {
        onClose();
        const rows = Number(fields.get('rows'));
        const columns = Number(fields.get('columns'));
        editor.run(insertTable(rows, columns, widthTwips / twipsPerPixel, style?.id ?? null));
      }}
    >
      <div class="field-row">
        <label class="field">
          {t('dialogs.rows')}
          <input type="number" name="rows" min={1} max={500} value={3} required />
        </label>
        <label class="field">
          {t('dialogs.columns')}
          <input type="number" name="columns" min={1} max={63} value={3} required />
        </label>
      </div>
    </FormDialog>
  );
}
