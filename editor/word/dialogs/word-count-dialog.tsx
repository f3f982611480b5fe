import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../strings/strings.ts';
import { countSelected, countText } from '../text-count.ts';
import type { WordDialogProps } from '../word-editor.ts';
import './word-count-dialog.css';

/** Words and characters of the document and of the selection. */
export function WordCountDialog({ editor, onClose }: WordDialogProps) {
  const { doc, selection } = editor.session.state;
  const whole = countText(doc, 0, doc.content.size);
  const selected = selection.empty ? null : countSelected(doc, selection);
  const row = (label: string, name: keyof typeof whole) => (
    <tr>
      <th scope="row">{label}</th>
      <td>{whole[name].toLocaleString()}</td>
      {selected && <td>{selected[name].toLocaleString()}</td>}
    </tr>
  );
  return (
    <Dialog title={t('toolbar.wordCount')} onClose={onClose} width="24rem">
      <table class="word-count">
        <thead>
          <tr>
            <td />
            <th scope="col">{t('dialogs.inDocument')}</th>
            {selected && <th scope="col">{t('dialogs.inSelection')}</th>}
          </tr>
        </thead>
        <tbody>
          {row(t('dialogs.words'), 'words')}
          {row(t('dialogs.characters'), 'characters')}
          {row(t('dialogs.charactersWithoutSpaces'), 'charactersWithoutSpaces')}
          {row(t('dialogs.paragraphs'), 'paragraphs')}
        </tbody>
      </table>
    </Dialog>
  );
}
