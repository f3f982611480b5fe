import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import { setParagraphs } from '../commands/paragraph-format.ts';
import { selectedParagraphs } from '../styles/effective.ts';
import type { DialogProps } from './dialog-props.ts';

const twipsPerPoint = 20;
const linePerLine = 240;

/** Spacing and indents of the selected paragraphs. */
export function SpacingDialog({ editor, onClose }: DialogProps) {
  const paragraph = selectedParagraphs(editor.session.state)[0]?.node;
  const style = editor.sheet.paragraph(paragraph?.attrs.style ?? null).paragraph;
  const value = (name: string) => Number(paragraph?.attrs[name] ?? style[name] ?? 0);
  const isLines = (paragraph?.attrs.lineRule ?? style.lineRule ?? 'auto') === 'auto';
  const points = (name: string, label: string, min: number) => (
    <label class="field">
      {label}
      <input
        type="number"
        name={name}
        min={min}
        max={1584}
        step="any"
        value={value(name) / twipsPerPoint}
        required
      />
    </label>
  );
  return (
    <FormDialog
      title={t('dialogs.spacing')}
      submitLabel={t('common.ok')}
      onClose={onClose}
      onSubmit={(fields) => {
        onClose();
        const twips = (name: string) => Math.round(Number(fields.get(name)) * twipsPerPoint);
        const line = Math.round(Number(fields.get('line')) * linePerLine);
        editor.run(
          setParagraphs({
            spaceBefore: twips('spaceBefore'),
            spaceAfter: twips('spaceAfter'),
            indentLeft: twips('indentLeft'),
            indentRight: twips('indentRight'),
            indentFirst: twips('indentFirst'),
            ...(isLines && { line, lineRule: 'auto' }),
          }),
        );
      }}
    >
      <div class="field-row">
        {points('spaceBefore', t('dialogs.spaceBefore'), 0)}
        {points('spaceAfter', t('dialogs.spaceAfter'), 0)}
        {points('indentLeft', t('dialogs.indentLeft'), -1584)}
        {points('indentRight', t('dialogs.indentRight'), -1584)}
        {points('indentFirst', t('dialogs.indentFirst'), -1584)}
        {isLines && (
          <label class="field">
            {t('dialogs.lines')}
            <input
              type="number"
              name="line"
              min={0.5}
              max={10}
              step="any"
              value={Math.round(((value('line') || linePerLine) / linePerLine) * 100) / 100}
              required
            />
          </label>
        )}
      </div>
    </FormDialog>
  );
}
