import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../strings/strings.ts';
import { shadeCells } from '../commands/tables.ts';
import { textSwatches } from '../toolbar/palettes.ts';
import type { WordDialogProps } from '../word-editor.ts';
import '../../kit/color-button.css';

/** The background of the selected cells. */
export function CellShadingDialog({ editor, onClose }: WordDialogProps) {
  const choose = (value: string | null) => {
    onClose();
    editor.run(shadeCells(value));
  };
  return (
    <Dialog title={t('toolbar.cellShading')} onClose={onClose} width="18rem">
      <div class="swatches">
        {textSwatches().map(({ value, css, name }) => (
          <button
            key={value}
            type="button"
            class="swatch"
            style={{ background: css }}
            aria-label={name}
            title={name}
            onClick={() => choose(value)}
          />
        ))}
      </div>
      <Button onClick={() => choose(null)}>{t('toolbar.none')}</Button>
    </Dialog>
  );
}
