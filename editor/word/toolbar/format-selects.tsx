import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { t } from '../../strings/strings.ts';
import { setParagraphStyle } from '../commands/paragraph-format.ts';
import { setFont, setSize } from '../commands/run-format.ts';
import { type Common, selectedParagraphs } from '../styles/effective.ts';
import type { WordEditor } from '../word-editor.ts';

/** Styles by which Word's own list of suggestions begins; the others follow by name. */
const usualStyles = [
  'normal',
  'title',
  'subtitle',
  'heading 1',
  'heading 2',
  'heading 3',
  'heading 4',
  'quote',
];

const rank = (name: string): number => {
  const at = usualStyles.indexOf(name.toLowerCase());
  return at < 0 ? usualStyles.length : at;
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

/** Fonts that every computer has, or has one of the same widths for. */
const commonFonts = [
  'Arial',
  'Calibri',
  'Cambria',
  'Courier New',
  'Georgia',
  'Helvetica',
  'Tahoma',
  'Times New Roman',
  'Trebuchet MS',
  'Verdana',
];

/** The common fonts and those of the document. */
export function FontSelect({ editor, current }: { editor: WordEditor; current: Common<string | null> }) {
  const fonts = useMemo(() => {
    const ofStyles = editor.styles.all
      .map(({ run }) => run.font?.name)
      .filter((name) => typeof name === 'string');
    return [...new Set([...commonFonts, ...ofStyles])].sort((a, b) => a.localeCompare(b));
  }, [editor]);
  const shown = current === 'mixed' || current === null ? '' : current;
  const listed = fonts.includes(shown) || shown === '' ? fonts : [shown, ...fonts];
  return (
    <select
      class="font-select"
      aria-label={t('toolbar.font')}
      title={t('toolbar.font')}
      value={shown}
      disabled={!editor.role.canEdit}
      onChange={(event) => editor.run(setFont(event.currentTarget.value))}
    >
      {shown === '' && <option value="" />}
      {listed.map((name) => (
        <option key={name} value={name} style={{ fontFamily: name }}>
          {name}
        </option>
      ))}
    </select>
  );
}

const points = [8, 9, 10, 10.5, 11, 12, 14, 16, 18, 20, 22, 24, 26, 28, 36, 48, 72];

/** Sizes in points. */
export function SizeSelect({ editor, current }: { editor: WordEditor; current: Common<number> }) {
  const now = current === 'mixed' ? null : current / 2;
  const listed = now === null || points.includes(now) ? points : [...points, now].sort((a, b) => a - b);
  return (
    <select
      class="size-select"
      aria-label={t('toolbar.size')}
      title={t('toolbar.size')}
      value={now ?? ''}
      disabled={!editor.role.canEdit}
      onChange={(event) => editor.run(setSize(Math.round(Number(event.currentTarget.value) * 2)))}
    >
      {now === null && <option value="" />}
      {listed.map((size) => (
        <option key={size} value={size}>
          {size}
        </option>
      ))}
    </select>
  );
}
