import { useSignal, useSignalEffect } from '@preact/signals';
import { SidePanel } from '../../kit/side-panel.tsx';
import { t } from '../../strings/strings.ts';
import { select } from '../commands/select.ts';
import type { WordEditor } from '../word-editor.ts';
import { type Heading, headingsOf } from './outline.ts';
import './outline-panel.css';

const delayMs = 400;

/** The headings; a press goes to one. */
export function OutlinePanel({ editor }: { editor: WordEditor }) {
  const headings = useSignal<readonly Heading[]>(headingsOf(editor.session.state.doc, editor.sheet));
  useSignalEffect(() => {
    const { doc } = editor.state.value;
    const timer = setTimeout(() => {
      headings.value = headingsOf(doc, editor.sheet);
    }, delayMs);
    return () => clearTimeout(timer);
  });
  return (
    <SidePanel title={t('toolbar.outline')} onClose={() => editor.togglePanel('outline')}>
      {headings.value.length === 0 && <p class="outline-empty">{t('word.noHeadings')}</p>}
      <ul class="outline">
        {headings.value.map(({ level, text, pos }) => (
          <li key={`${pos} ${text}`} style={{ '--level': level }}>
            <button type="button" onClick={() => editor.run(select(pos + 1, pos + 1))}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </SidePanel>
  );
}
