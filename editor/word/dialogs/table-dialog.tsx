import { useState } from 'preact/hooks';
import { FieldError } from '../../kit/field-error.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import { insertTable } from '../commands/tables.ts';
import { roomAt } from '../view/page-layout/geometry.ts';
import type { WordDialogProps } from '../word-editor.ts';

/** Styles by which a table has lines, in order of preference; Word's own name for the usual one is the first. */
const griddedStyles = ['TableGrid', 'Table Grid'];
/** Cells that one table may have at first: more than anybody needs, fewer than would hold everybody up. */
const maxCells = 5_000;

export function TableDialog({ editor, onClose }: WordDialogProps) {
  const [error, setError] = useState('');
  const style = editor.styles.all.find(
    ({ id, name, type }) => type === 'table' && (griddedStyles.includes(id) || griddedStyles.includes(name)),
  );
  return (
    <FormDialog
      title={t('dialogs.table')}
      submitLabel={t('dialogs.insert')}
      onClose={onClose}
      onSubmit={(fields) => {
        const rows = Number(fields.get('rows'));
        const columns = Number(fields.get('columns'));
        if (rows * columns > maxCells) return setError(t('dialogs.tooManyCells', { count: maxCells }));
        onClose();
        const { state } = editor.session;
        const { width } = roomAt(state, state.selection.from, editor.document.sections);
        editor.run(insertTable(rows, columns, width, style?.id ?? null));
      }}
    >
      <div class="field-row">
        <label class="field">
          {t('dialogs.rows')}
          <input type="number" name="rows" min={1} max={500} defaultValue="3" required />
        </label>
        <label class="field">
          {t('dialogs.columns')}
          <input type="number" name="columns" min={1} max={63} defaultValue="3" required />
        </label>
      </div>
      <FieldError text={error} />
    </FormDialog>
  );
}
