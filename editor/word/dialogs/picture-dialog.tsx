import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import { insertPictureFiles } from '../pictures/insert-pictures.ts';
import type { WordDialogProps } from '../word-editor.ts';

export function PictureDialog({ editor, onClose }: WordDialogProps) {
  return (
    <FormDialog
      title={t('dialogs.picture')}
      submitLabel={t('dialogs.insert')}
      onClose={onClose}
      onSubmit={(fields) => {
        const files = fields.getAll('files').filter((entry) => entry instanceof File && entry.size > 0);
        onClose();
        void insertPictureFiles(editor, files as File[], String(fields.get('alt')).trim());
      }}
    >
      <label class="field">
        {t('dialogs.pictureFile')}
        <input type="file" name="files" accept="image/*" multiple required />
      </label>
      <label class="field">
        {t('dialogs.alternativeText')}
        <input name="alt" maxLength={4000} />
      </label>
    </FormDialog>
  );
}
