import { Button } from '../../kit/button.tsx';
import { SidePanel } from '../../kit/side-panel.tsx';
import { t } from '../../strings/strings.ts';
import type { Comparison } from './comparison.ts';
import './history-panel.css';

/** What the marks in the other file mean, and the way back to the document. */
export function ComparisonPanel({ comparison }: { comparison: Pick<Comparison, 'shown' | 'close'> }) {
  const shown = comparison.shown.value;
  return (
    <SidePanel title={t('compare.title')} onClose={() => comparison.close()}>
      <div class="version-days">
        {shown?.problem && <p class="version-problem">{shown.problem}</p>}
        {shown && !shown.problem && !shown.editor && <p role="status">{t('common.loading')}</p>}
        {shown?.editor && <p>{t('compare.meaning')}</p>}
        {shown?.editor && shown.changeCount !== null && (
          <p role="status">{t('compare.differences', { count: shown.changeCount })}</p>
        )}
      </div>
      <Button class="versions-back" kind="primary" onClick={() => comparison.close()}>
        {t('history.back')}
      </Button>
    </SidePanel>
  );
}
