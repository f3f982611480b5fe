import { useLayoutEffect, useState } from 'preact/hooks';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { PageDialogs } from '../../shell/dialogs/page-dialogs.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { setNumberFormat } from '../commands/formatting.ts';
import { shortcuts } from '../commands/keyboard.ts';
import { linkAt, setLink } from '../commands/links.ts';
import { problemWithName, renameSheet } from '../commands/sheets.ts';
import { resizeLines, selectedSpans } from '../commands/structure.ts';
import { shownValue } from '../formats/shown-value.ts';

interface DialogProps {
  editor: CellEditor;
  onClose: () => void;
}

/** The dialog that is open, if one is. */
export function Dialogs({ editor }: { editor: CellEditor }) {
  const name = editor.dialog.value;
  const close = () => {
    editor.dialog.value = null;
  };
  useLayoutEffect(() => {
    if (name === null || name === 'find') return undefined;
    return () => editor.focus();
  }, [editor, name]);
  switch (name) {
    case 'numberFormat':
      return <NumberFormatDialog editor={editor} onClose={close} />;
    case 'link':
      return <LinkDialog editor={editor} onClose={close} />;
    case 'renameSheet':
      return <SheetNameDialog editor={editor} onClose={close} />;
    case 'rowHeight':
      return <SizeDialog editor={editor} onClose={close} axis="row" />;
    case 'columnWidth':
      return <SizeDialog editor={editor} onClose={close} axis="column" />;
    default:
      return <PageDialogs editor={editor} shortcuts={shortcuts} />;
  }
}

const patterns = [
  'General',
  '0',
  '0.00',
  '#,##0',
  '#,##0.00',
  '0%',
  '0.00%',
  '0.00E+00',
  '# ?/?',
  '#,##0;[Red]-#,##0',
  'yyyy-mm-dd',
  'dd/mm/yyyy',
  'd mmm yyyy',
  'hh:mm',
  'hh:mm:ss',
  '[h]:mm',
  '@',
];

function NumberFormatDialog({ editor, onClose }: DialogProps) {
  const { active } = editor.selection.peek();
  const [pattern, setPattern] = useState(editor.formatAt(active).number ?? 'General');
  const value = editor.valueAt(active);
  const example = typeof value === 'number' || typeof value === 'string' ? value : 1234.5;
  return (
    <FormDialog
      title={t('sheet.numberFormat')}
      submitLabel={t('sheet.apply')}
      onClose={onClose}
      onSubmit={() => {
        setNumberFormat(editor, pattern);
        onClose();
      }}
    >
      <label>
        {t('sheet.pattern')}
        <input
          list="number-patterns"
          value={pattern}
          spellcheck={false}
          onInput={(event) => setPattern(event.currentTarget.value)}
        />
      </label>
      <datalist id="number-patterns">
        {patterns.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <p>{t('sheet.example', { value: shownValue(example, pattern, editor.settings).text })}</p>
    </FormDialog>
  );
}

function LinkDialog({ editor, onClose }: DialogProps) {
  const { active } = editor.selection.peek();
  const link = linkAt(editor, active);
  const text = editor.view.peek().cellAt(active.row, active.column)?.text ?? '';
  return (
    <FormDialog
      title={t('toolbar.link')}
      submitLabel={t('sheet.apply')}
      onClose={onClose}
      onSubmit={(fields) => {
        const address = String(fields.get('address')).trim();
        setLink(editor, address === '' ? null : address, String(fields.get('text')));
        onClose();
      }}
    >
      <label>
        {t('sheet.linkAddress')}
        <input name="address" defaultValue={link?.address ?? ''} />
      </label>
      <label>
        {t('sheet.linkText')}
        <input name="text" defaultValue={text} />
      </label>
    </FormDialog>
  );
}

function SheetNameDialog({ editor, onClose }: DialogProps) {
  const { id, properties } = editor.sheet;
  const [name, setName] = useState(properties.name);
  const problem = problemWithName(editor, id, name);
  return (
    <FormDialog
      title={t('sheet.renameSheet')}
      submitLabel={t('sheet.apply')}
      canSubmit={problem === null}
      onClose={onClose}
      onSubmit={() => {
        renameSheet(editor, id, name.trim());
        onClose();
      }}
    >
      <label>
        {t('sheet.name')}
        <input value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      {problem && name !== properties.name && <p role="alert">{problem}</p>}
    </FormDialog>
  );
}

function SizeDialog({ editor, onClose, axis }: DialogProps & { axis: 'row' | 'column' }) {
  const view = editor.view.peek();
  const { active } = editor.selection.peek();
  const lines = axis === 'row' ? view.rows : view.columns;
  const size = Math.round(lines.sizeOf(axis === 'row' ? active.row : active.column) / view.zoom);
  return (
    <FormDialog
      title={t(axis === 'row' ? 'sheet.rowHeight' : 'sheet.columnWidth')}
      submitLabel={t('sheet.apply')}
      onClose={onClose}
      onSubmit={(fields) => {
        const pixels = Number(fields.get('size'));
        resizeLines(editor, axis, selectedSpans(editor, axis), pixels * view.zoom);
        onClose();
      }}
    >
      <label>
        {t('sheet.pixels')}
        <input name="size" type="number" min={0} max={2000} required defaultValue={String(size)} />
      </label>
    </FormDialog>
  );
}
