import { Minus, Plus } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { IconButton } from '../../kit/button.tsx';
import { currentLanguage, t } from '../../strings/strings.ts';
import type { CoeditedDocument } from '../document-editor.ts';
import { nextZoom } from '../zoom.ts';
import './zoom-control.css';

const choices = [0.5, 0.75, 0.9, 1, 1.25, 1.5, 2, 3, 4];

/** How large the document is shown; for the bar below it. `children`: buttons of the kind, before the others. */
export function ZoomControl({
  editor,
  children,
}: {
  editor: Pick<CoeditedDocument, 'zoom'>;
  children?: ComponentChildren;
}) {
  const zoom = editor.zoom.value;
  const percent = new Intl.NumberFormat(currentLanguage(), { style: 'percent' });
  const set = (value: number) => {
    editor.zoom.value = value;
  };
  const listed = choices.includes(zoom) ? choices : [...choices, zoom].sort((one, other) => one - other);
  return (
    <div class="zoom-control" role="group" aria-label={t('view.zoom')}>
      {children}
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
