import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';

interface PictureDialogProps {
  /** @param description empty: none was given */
  onInsert: (files: readonly File[], description: string) => void;
  onClose: () => void;
}

/** Asks for pictures, and for words for those who do not see them. */
export function PictureDialog({ onInsert, onClose }: PictureDialogProps) {
  return (
    <FormDialog
      title={t('dialogs.picture')}
      submitLabel={t('dialogs.insert')}
      onClose={onClose}
      onSubmit={(fields) => {
        const files = fields.getAll('files').filter((entry) => entry instanceof File && entry.size > 0);
        onClose();
        onInsert(files as File[], String(fields.get('alt')).trim());
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
