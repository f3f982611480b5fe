import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { describeDrawing } from './drawing-changes.ts';
import { selectedDrawing } from './selected-drawing.ts';

/** Describes the selected drawing for people who do not see it. */
export function DrawingDialog({ editor, onClose }: { editor: CellEditor; onClose: () => void }) {
  return (
    <FormDialog
      title={t('drawings.describe')}
      submitLabel={t('sheet.apply')}
      onClose={onClose}
      onSubmit={(fields) => {
        onClose();
        describeDrawing(editor, String(fields.get('alt')).trim());
      }}
    >
      <label class="field">
        {t('dialogs.alternativeText')}
        <textarea
          name="alt"
          rows={3}
          maxLength={4000}
          defaultValue={selectedDrawing(editor)?.[1].description ?? ''}
        />
      </label>
    </FormDialog>
  );
}
