import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { formatSelection } from '../commands/formatting.ts';

const fonts = [
  'Calibri',
  'Arial',
  'Cambria',
  'Courier New',
  'Georgia',
  'Tahoma',
  'Times New Roman',
  'Verdana',
];
const points = [8, 9, 10, 11, 12, 14, 16, 18, 20, 24, 28, 36, 48, 72];

interface SelectProps {
  editor: CellEditor;
  disabled: boolean;
}

/** The common fonts, and that of the active cell. */
export function FontSelect({ editor, font, disabled }: SelectProps & { font: string }) {
  return (
    <select
      aria-label={t('toolbar.font')}
      class="font-select"
      disabled={disabled}
      value={font}
      onChange={(event) => {
        const name = event.currentTarget.value;
        editor.focus();
        formatSelection(editor, { font: { name, scheme: null } });
      }}
    >
      {[...new Set([font, ...fonts])].map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}

/** Sizes in points. */
export function SizeSelect({ editor, size, disabled }: SelectProps & { size: number }) {
  return (
    <select
      aria-label={t('toolbar.size')}
      disabled={disabled}
      value={size}
      onChange={(event) => {
        const chosen = Number(event.currentTarget.value);
        editor.focus();
        formatSelection(editor, { font: { size: chosen } });
      }}
    >
      {[...new Set([size, ...points])]
        .toSorted((a, b) => a - b)
        .map((one) => (
          <option key={one}>{one}</option>
        ))}
    </select>
  );
}
