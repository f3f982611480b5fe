import { Minus, MoveHorizontal, Plus, Smartphone } from 'lucide-preact';
import { IconButton } from '../../../kit/button.tsx';
import { currentLanguage, t } from '../../../strings/strings.ts';
import type { WordEditor } from '../../word-editor.ts';
import { chooseReflow, reflows } from './page-layout.ts';
import { fittingZoom, nextZoom } from './zoom.ts';
import './zoom-control.css';

const choices = [0.5, 0.75, 0.9, 1, 1.25, 1.5, 2, 3, 4];

/** How large the page is shown; for the bar below the document. */
export function ZoomControl({ editor }: { editor: WordEditor }) {
  const zoom = editor.zoom.value;
  const percent = new Intl.NumberFormat(currentLanguage(), { style: 'percent' });
  const set = (value: number) => {
    editor.zoom.value = value;
  };
  const fit = () => {
    const desk = editor.view?.dom.closest('.desk');
    if (desk) set(fittingZoom(editor.document.sections, desk.clientWidth));
  };
  const listed = choices.includes(zoom) ? choices : [...choices, zoom].sort((one, other) => one - other);
  return (
    <div class="zoom-control" role="group" aria-label={t('view.zoom')}>
      <IconButton
        label={t('view.reflow')}
        aria-pressed={reflows.value}
        onClick={() => chooseReflow(!reflows.value)}
      >
        <Smartphone size={16} />
      </IconButton>
      <IconButton label={t('view.fitWidth')} onClick={fit}>
        <MoveHorizontal size={16} />
      </IconButton>
      <IconButton label={t('view.zoomOut')} onClick={() => set(nextZoom(zoom, -1))}>
        <Minus size={16} />
      </IconButton>
      <select
        aria-label={t('view.zoom')}
        value={String(zoom)}
        onChange={(event) => set(Number(event.currentTarget.value))}
      >
        {listed.map((value) => (
          <option key={value} value={String(value)}>
            {percent.format(value)}
          </option>
        ))}
      </select>
      <IconButton label={t('view.zoomIn')} onClick={() => set(nextZoom(zoom, 1))}>
        <Plus size={16} />
      </IconButton>
    </div>
  );
}
