import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { type CellMove, moveSelected } from '../commands/cell-moving.ts';

/** Asks before cells that are dragged come onto others with content. */
export function ReplacementDialog({
  editor,
  move,
  onClose,
}: {
  editor: CellEditor;
  move: CellMove;
  onClose: () => void;
}) {
  return (
    <Dialog
      title={t('sheet.replaceCells')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            kind="primary"
            onClick={() => {
              onClose();
              moveSelected(editor, move);
            }}
          >
            {t('sheet.replaceCells')}
          </Button>
        </>
      }
    >
      <p>{t('sheet.replaceQuestion')}</p>
    </Dialog>
  );
}
