import type { ComponentChildren } from 'preact';
import type { Color } from '../../../model/cell/cell-format.ts';
import { ColorButton } from '../../kit/color-button.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { cssColor } from '../shown/sheet-colors.ts';
import { choiceOf, chosenColor, colorChoices } from './color-choices.ts';

interface CellColorButtonProps {
  editor: CellEditor;
  label: string;
  children: ComponentChildren;
  color: Color | undefined;
  /** The colour that is seen where `color` says none. */
  shown?: string | null;
  noneLabel: string;
  onChoose: (color: Color | null) => void;
  disabled?: boolean;
}

/** A button that opens a palette of the colours of the workbook's theme and of others. */
export function CellColorButton({ editor, color, shown = null, onChoose, ...rest }: CellColorButtonProps) {
  const theme = editor.page.workbook.value.properties.theme?.colors;
  return (
    <ColorButton
      {...rest}
      groups={() => colorChoices(theme)}
      current={choiceOf(color, theme)}
      css={cssColor(color, theme) ?? shown}
      otherLabel={t('toolbar.otherColor')}
      onChoose={(value) => onChoose(value === null ? null : chosenColor(value))}
    />
  );
}
