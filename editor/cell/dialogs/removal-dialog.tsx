import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { removeNow } from '../commands/sheets.ts';

/** Asks before the sheet that is shown goes with what is on it. */
export function RemovalDialog({ editor }: { editor: CellEditor }) {
  const { id, properties } = editor.sheet;
  const close = () => {
    editor.dialog.value = null;
  };
  return (
    <Dialog
      title={t('sheet.removeSheet')}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{t('common.cancel')}</Button>
          <Button
            kind="danger"
            onClick={() => {
              close();
              removeNow(editor, id);
            }}
          >
            {t('sheet.removeSheet')}
          </Button>
        </>
      }
    >
      <p>{t('sheet.removalQuestion', { name: properties.name })}</p>
    </Dialog>
  );
}
