import { useComputed } from '@preact/signals';
import { t } from '../../strings/strings.ts';
import { setParagraphStyle } from '../commands/paragraph-format.ts';
import { selectedParagraphs } from '../styles/effective.ts';
import type { WordEditor } from '../word-editor.ts';

/** Styles by which Word's own list of suggestions begins; the others follow by name. */
const usual = ['normal', 'title', 'subtitle', 'heading 1', 'heading 2', 'heading 3', 'heading 4', 'quote'];

const rank = (name: string): number => {
  const at = usual.indexOf(name.toLowerCase());
  return at < 0 ? usual.length : at;
};

/** The paragraph styles of the document. */
export function StyleSelect({ editor }: { editor: WordEditor }) {
  const styles = editor.styles.all
    .filter(({ type }) => type === 'paragraph')
    .sort((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name));
  const current = useComputed(() => {
    const ids = selectedParagraphs(editor.state.value).map(({ node }) =>
      editor.styles.paragraphStyleId(node.attrs.style),
    );
    return ids.every((id) => id === ids[0]) ? (ids[0] ?? '') : '';
  });
  return (
    <select
      class="style-select"
      aria-label={t('toolbar.style')}
      title={t('toolbar.style')}
      value={current.value}
      disabled={!editor.role.canEdit || styles.length === 0}
      onChange={(event) => editor.run(setParagraphStyle(event.currentTarget.value))}
    >
      {current.value === '' && <option value="" />}
      {styles.map(({ id, name }) => (
        <option key={id} value={id}>
          {name.charAt(0).toUpperCase() + name.slice(1)}
        </option>
      ))}
    </select>
  );
}
