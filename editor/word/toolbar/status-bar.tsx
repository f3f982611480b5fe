import { useSignal, useSignalEffect } from '@preact/signals';
import { StatusBar } from '../../shell/bars/status-bar.tsx';
import { t } from '../../strings/strings.ts';
import { TrackingSwitch } from '../review/tracking/tracking-switch.tsx';
import { countText } from '../text-count.ts';
import { PageZoomControl } from '../view/page-layout/page-zoom-control.tsx';
import type { WordEditor } from '../word-editor.ts';

/** Counting a long document costs some milliseconds: it is done when typing rests. */
const countDelayMs = 800;

/** Words and zoom. */
export function WordStatusBar({ editor }: { editor: WordEditor }) {
  const words = useSignal<number | null>(null);
  useSignalEffect(() => {
    const { doc } = editor.state.value;
    const timer = setTimeout(() => {
      words.value = countText(doc, 0, doc.content.size).words;
    }, countDelayMs);
    return () => clearTimeout(timer);
  });
  return (
    <StatusBar end={<PageZoomControl editor={editor} />}>
      {words.value !== null && (
        <button
          type="button"
          class="status-words"
          aria-haspopup="dialog"
          onClick={() => {
            editor.view?.focus();
            editor.dialog.value = 'wordCount';
          }}
        >
          {t('toolbar.words', { count: words.value })}
        </button>
      )}
      <TrackingSwitch editor={editor} />
    </StatusBar>
  );
}
