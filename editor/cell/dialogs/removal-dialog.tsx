import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { removeNow } from '../commands/sheets.ts';

/** Asks before the sheet that is shown goes with what is on it. */
export function RemovalDialog({ editor, onClose }: { editor: CellEditor; onClose: () => void }) {
  const { id, properties } = editor.page.sheet;
  return (
    <Dialog
      title={t('sheet.removeSheet')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            kind="danger"
            onClick={() => {
              onClose();
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
