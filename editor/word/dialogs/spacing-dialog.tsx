import { useState } from 'preact/hooks';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import { setParagraphs } from '../commands/paragraph-format.ts';
import { selectedParagraphs } from '../styles/effective.ts';
import type { WordDialogProps, WordEditor } from '../word-editor.ts';

const twipsPerPoint = 20;
const linePerLine = 240;

const names = ['spaceBefore', 'spaceAfter', 'indentLeft', 'indentRight', 'indentFirst'] as const;

/** Spacing and indents of the selected paragraphs; what is not changed here stays as it is in each of them. */
export function SpacingDialog({ editor, onClose }: WordDialogProps) {
  const [shown] = useState(() => shownValues(editor));
  const points = (name: (typeof names)[number], min: number) => (
    <label class="field">
      {t(`dialogs.${name}`)}
      <input type="number" name={name} min={min} max={1584} step="any" defaultValue={shown[name]} />
    </label>
  );
  return (
    <FormDialog
      title={t('dialogs.spacing')}
      submitLabel={t('common.ok')}
      onClose={onClose}
      onSubmit={(fields) => {
        onClose();
        const change: Record<string, unknown> = {};
        for (const name of names) {
          const typed = String(fields.get(name));
          if (typed !== shown[name] && typed !== '') change[name] = Math.round(Number(typed) * twipsPerPoint);
        }
        const lines = String(fields.get('line'));
        if (lines !== shown.line && lines !== '') {
          Object.assign(change, { line: Math.round(Number(lines) * linePerLine), lineRule: 'auto' });
        }
        editor.run(setParagraphs(change));
      }}
    >
      <div class="field-row">
        {points('spaceBefore', 0)}
        {points('spaceAfter', 0)}
        {points('indentLeft', -1584)}
        {points('indentRight', -1584)}
        {points('indentFirst', -1584)}
        <label class="field">
          {t('dialogs.lines')}
          <input type="number" name="line" min={0.5} max={10} step="any" defaultValue={shown.line} />
        </label>
      </div>
    </FormDialog>
  );
}

/** What the fields begin with: nothing where the selected paragraphs differ, or lines have a height in points. */
function shownValues(editor: WordEditor): Record<(typeof names)[number] | 'line', string> {
  const values = selectedParagraphs(editor.session.state).map(({ node }) => {
    const style = editor.styles.paragraph(node.attrs.style).paragraph;
    return (name: string) => node.attrs[name] ?? style[name];
  });
  const common = (read: (value: (name: string) => unknown) => string) => {
    const all = new Set(values.map(read));
    return all.size === 1 ? ([...all][0] as string) : '';
  };
  const points = (name: string) => common((value) => String(Number(value(name) ?? 0) / twipsPerPoint));
  return {
    spaceBefore: points('spaceBefore'),
    spaceAfter: points('spaceAfter'),
    indentLeft: points('indentLeft'),
    indentRight: points('indentRight'),
    indentFirst: points('indentFirst'),
    line: common((value) => {
      if ((value('lineRule') ?? 'auto') !== 'auto') return '';
      return String(Math.round((Number(value('line') ?? linePerLine) / linePerLine) * 100) / 100);
    }),
  };
}
