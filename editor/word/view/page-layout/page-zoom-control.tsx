import { MoveHorizontal, Smartphone } from 'lucide-preact';
import { IconButton } from '../../../kit/button.tsx';
import { ZoomControl } from '../../../shell/bars/zoom-control.tsx';
import { t } from '../../../strings/strings.ts';
import type { WordEditor } from '../../word-editor.ts';
import { chooseReflow, reflows } from './page-layout.ts';
import { fittingZoom } from './zoom.ts';

/** How large the page is shown, and whether text flows by the width of the window. */
export function PageZoomControl({ editor }: { editor: WordEditor }) {
  const fit = () => {
    const desk = editor.view?.dom.closest('.desk');
    if (desk) editor.zoom.value = fittingZoom(editor.document.sections, desk.clientWidth);
  };
  return (
    <ZoomControl editor={editor}>
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
    </ZoomControl>
  );
}
