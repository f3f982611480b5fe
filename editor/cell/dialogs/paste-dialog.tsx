import { useState } from 'preact/hooks';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { pasteFromClipboard } from '../clipboard/clipboard-actions.ts';
import type { PastedPart, PasteOperation } from '../clipboard/paste-options.ts';
import './paste-dialog.css';

const parts = [
  ...(['all', 'values', 'valuesAndNumbers', 'formulas'] as const),
  ...(['formats', 'widths', 'allButBorders'] as const),
] satisfies readonly PastedPart[];
const operations = [
  ...(['none', 'add', 'subtract', 'multiply', 'divide'] as const),
] satisfies readonly PasteOperation[];

/** Asks what of the clipboard is pasted, and how it is put together with what is there. */
export function PasteDialog({ editor, onClose }: { editor: CellEditor; onClose: () => void }) {
  const [part, setPart] = useState<PastedPart>('all');
  const hasContent = part !== 'formats' && part !== 'widths';
  return (
    <FormDialog
      title={t('pasting.special')}
      submitLabel={t('pasting.paste')}
      onClose={onClose}
      onSubmit={(fields) => {
        onClose();
        void pasteFromClipboard(editor, {
          part,
          operation: (fields.get('operation') ?? 'none') as PasteOperation,
          skipsBlanks: fields.has('skipsBlanks'),
          isTransposed: fields.has('isTransposed'),
        });
      }}
    >
      <div class="field-row">
        <fieldset class="paste-choices">
          <legend>{t('pasting.what')}</legend>
          {parts.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="part"
                value={one}
                checked={one === part}
                onChange={() => setPart(one)}
              />
              {t(`pasting.part_${one}`)}
            </label>
          ))}
        </fieldset>
        <fieldset class="paste-choices" disabled={!hasContent}>
          <legend>{t('pasting.operation')}</legend>
          {operations.map((one) => (
            <label key={one}>
              <input type="radio" name="operation" value={one} defaultChecked={one === 'none'} />
              {t(`pasting.operation_${one}`)}
            </label>
          ))}
        </fieldset>
      </div>
      <fieldset class="paste-choices" disabled={part === 'widths'}>
        <label>
          <input type="checkbox" name="skipsBlanks" />
          {t('pasting.skipBlanks')}
        </label>
        <label>
          <input type="checkbox" name="isTransposed" />
          {t('pasting.transpose')}
        </label>
      </fieldset>
    </FormDialog>
  );
}
