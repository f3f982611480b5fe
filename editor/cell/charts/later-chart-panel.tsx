import { useEffect, useRef, useState } from 'preact/hooks';
import { itemsOf } from '../../../model/cell/workbook.ts';
import { laterPart } from '../../kit/later.tsx';
import { SidePanel } from '../../kit/side-panel.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';

const editing = laterPart(() => import('./editing/chart-editing.ts'));

/** What makes and changes charts, downloaded with the first of them. What cannot be loaded is said. */
export const chartEditing = () => editing.loadOrTell();

/** The panel of the chart that is selected, or was last: cells can be chosen for it meanwhile. */
export function LaterChartPanel({ editor }: { editor: CellEditor }) {
  const [loaded, setLoaded] = useState(editing.loaded);
  useEffect(() => {
    void chartEditing().then(setLoaded);
  }, []);
  const last = useRef<string | null>(null);
  const drawings = itemsOf(editor.page.sheet, 'drawing');
  const selected = editor.drawing.value;
  if (selected !== null && drawings.get(selected)?.chart) last.current = selected;
  const id = last.current;
  const chart = id === null ? undefined : drawings.get(id)?.chart;
  const close = () => {
    editor.panel.value = null;
    editor.focus();
  };
  if (!editor.canEdit) return null;
  return (
    <SidePanel title={t('charts.panel')} onClose={close}>
      {loaded && id !== null && chart ? (
        <loaded.ChartPanel editor={editor} id={id} chart={chart} />
      ) : (
        <p class="panel-empty">{chart ? '' : t('charts.choose')}</p>
      )}
    </SidePanel>
  );
}
