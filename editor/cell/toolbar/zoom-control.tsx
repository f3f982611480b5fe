import { Minus, Plus } from 'lucide-preact';
import { IconButton } from '../../kit/button.tsx';
import { currentLanguage, t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';

const choices = [0.5, 0.75, 0.9, 1, 1.25, 1.5, 2, 3];

/** How large the sheet is shown; for the bar below it. */
export function ZoomControl({ editor }: { editor: CellEditor }) {
  const zoom = editor.zoom.value;
  const percent = new Intl.NumberFormat(currentLanguage(), { style: 'percent' });
  const set = (value: number | undefined) => {
    if (value !== undefined) editor.zoom.value = value;
  };
  return (
    <div class="zoom-control" role="group" aria-label={t('view.zoom')}>
      <IconButton label={t('view.zoomOut')} onClick={() => set(choices.findLast((one) => one < zoom))}>
        <Minus size={16} />
      </IconButton>
      <select
        aria-label={t('view.zoom')}
        value={String(zoom)}
        onChange={(event) => set(Number(event.currentTarget.value))}
      >
        {choices.map((value) => (
          <option key={value} value={String(value)}>
            {percent.format(value)}
          </option>
        ))}
      </select>
      <IconButton label={t('view.zoomIn')} onClick={() => set(choices.find((one) => one > zoom))}>
        <Plus size={16} />
      </IconButton>
    </div>
  );
}
