import { useState } from 'preact/hooks';
import type { Color } from '../../../model/cell/cell-format.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { SelectField } from '../../kit/select-field.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { type BorderChoice, setBorders } from '../commands/borders.ts';
import { CellColorButton } from '../toolbar/cell-color-button.tsx';

const places = [
  ['all', 'sheet.bordersAll'],
  ['outer', 'sheet.bordersOuter'],
  ['inner', 'sheet.bordersInner'],
  ['top', 'sheet.borderTop'],
  ['bottom', 'sheet.borderBottom'],
  ['left', 'sheet.borderLeft'],
  ['right', 'sheet.borderRight'],
  ['diagonalDown', 'sheetDialogs.borderDiagonalDown'],
  ['diagonalUp', 'sheetDialogs.borderDiagonalUp'],
  ['none', 'sheet.bordersNone'],
] as const satisfies readonly (readonly [BorderChoice, string])[];

const styles = [
  ...(['thin', 'medium', 'thick', 'double', 'hair', 'dotted', 'dashed', 'dashDot', 'dashDotDot'] as const),
  ...(['mediumDashed', 'mediumDashDot', 'mediumDashDotDot', 'slantDashDot'] as const),
];

/** Draws lines of any kind and colour around, between and across what is selected. */
export function BordersDialog({ editor, onClose }: { editor: CellEditor; onClose: () => void }) {
  const [choice, setChoice] = useState<BorderChoice>('all');
  const [color, setColor] = useState<Color | null>(null);
  return (
    <FormDialog
      title={t('sheet.borders')}
      submitLabel={t('sheet.apply')}
      onClose={onClose}
      onSubmit={(fields) => {
        const style = String(fields.get('style') ?? 'thin');
        setBorders(editor, choice, { style, ...(color && { color }) });
        onClose();
      }}
    >
      <SelectField
        label={t('sheetDialogs.borderPlace')}
        options={places.map(([place, label]) => [place, t(label)])}
        value={choice}
        onChoose={setChoice}
      />
      {choice !== 'none' && (
        <>
          <SelectField
            label={t('sheetDialogs.borderStyle')}
            name="style"
            options={styles.map((style) => [style, t(`sheetDialogs.line_${style}`)])}
          />
          <div>
            <CellColorButton
              editor={editor}
              label={t('sheetDialogs.borderColor')}
              color={color ?? undefined}
              noneLabel={t('toolbar.automatic')}
              onChoose={setColor}
            >
              {t('sheetDialogs.borderColor')}
            </CellColorButton>
          </div>
        </>
      )}
    </FormDialog>
  );
}
