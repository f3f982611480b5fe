import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import type { DialogProps } from '../document-editor.ts';

/** Asks the embedding page to rename the document; it tells everybody when it has. */
export function RenameDialog({ editor, onClose }: DialogProps) {
  const extension = /\.[^.]+$/.exec(editor.title.value)?.[0] ?? '';
  return (
    <FormDialog
      title={t('dialogs.rename')}
      submitLabel={t('toolbar.rename')}
      onClose={onClose}
      onSubmit={(fields) => {
        onClose();
        const name = String(fields.get('name')).trim();
        if (name !== '') editor.host.send('onRequestRename', name);
      }}
    >
      <label class="field">
        {t('dialogs.newName')}
        <input
          name="name"
          required
          maxLength={120}
          defaultValue={editor.title.value.slice(0, -extension.length || undefined)}
        />
      </label>
    </FormDialog>
  );
}
