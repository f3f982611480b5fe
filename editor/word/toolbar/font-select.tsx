import { useMemo } from 'preact/hooks';
import { t } from '../../strings/strings.ts';
import { setFont } from '../commands/run-format.ts';
import type { Common } from '../styles/effective.ts';
import type { WordEditor } from '../word-editor.ts';

/** Fonts that every computer has, or has one of the same widths for. */
const common = [
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
    return [...new Set([...common, ...ofStyles])].sort((a, b) => a.localeCompare(b));
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
