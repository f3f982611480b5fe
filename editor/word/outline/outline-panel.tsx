import { useSignal, useSignalEffect } from '@preact/signals';
import { TextSelection } from 'prosemirror-state';
import { SidePanel } from '../../kit/side-panel.tsx';
import { togglePanel } from '../../shell/document-editor.ts';
import { t } from '../../strings/strings.ts';
import { revealSelection } from '../commands/selection.ts';
import type { WordEditor } from '../word-editor.ts';
import { type Heading, headingsOf } from './outline.ts';
import './outline-panel.css';

const delayMs = 400;

/** The headings; a press goes to one. */
export function OutlinePanel({ editor }: { editor: WordEditor }) {
  const headings = useSignal<readonly Heading[]>(headingsOf(editor.session.state.doc, editor.styles));
  useSignalEffect(() => {
    const { doc } = editor.state.value;
    const timer = setTimeout(() => {
      headings.value = headingsOf(doc, editor.styles);
    }, delayMs);
    return () => clearTimeout(timer);
  });
  return (
    <SidePanel title={t('toolbar.outline')} onClose={() => togglePanel(editor, 'outline')}>
      {headings.value.length === 0 && <p class="outline-empty">{t('view.noHeadings')}</p>}
      <ul class="outline">
        {headings.value.map(({ level, text, pos }) => (
          <li key={`${pos} ${text}`} style={{ '--level': level }}>
            <button type="button" onClick={() => goTo(editor, pos)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </SidePanel>
  );
}

/** The list may be some letters behind the text: the position is only near the heading then. */
function goTo(editor: WordEditor, pos: number): void {
  const { tr, doc } = editor.session.state;
  const near = doc.resolve(Math.min(pos, doc.content.size));
  editor.dispatch(tr.setSelection(TextSelection.near(near)));
  editor.view?.focus();
  if (editor.view) revealSelection(editor.view);
}
