import { useState } from 'preact/hooks';
import { ColorPalette } from '../../kit/color-palette.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { InputField } from '../../kit/input-field.tsx';
import { PictureDialog } from '../../shell/pictures/picture-dialog.tsx';
import { texts } from '../../strings/en/sheet-dialogs.ts';
import { addLaterTexts, t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { linkAt, setLink } from '../commands/links.ts';
import { colorSheet, problemWithName, renameSheet } from '../commands/sheets.ts';
import { resizeLines, selectedSpans } from '../commands/structure.ts';
import { DrawingDialog } from '../drawings/drawing-dialog.tsx';
import { insertPictureFiles } from '../drawings/insert-pictures.ts';
import { cssColor } from '../shown/sheet-colors.ts';
import { choiceOf, chosenColor, colorChoices } from '../toolbar/color-choices.ts';
import { BordersDialog } from './borders-dialog.tsx';
import { NumberFormatDialog } from './number-format-dialog.tsx';
import { PasteDialog } from './paste-dialog.tsx';
import { RemovalDialog } from './removal-dialog.tsx';
import type { SheetDialogName } from './sheet-dialog-names.ts';

await addLaterTexts(texts, {
  de: () => import('../../strings/de/sheet-dialogs.ts'),
  ar: () => import('../../strings/ar/sheet-dialogs.ts'),
});

interface DialogProps {
  readonly editor: CellEditor;
  readonly onClose: () => void;
}

/** The small dialogs about what is selected. */
export function SheetDialog({ editor, name, onClose }: DialogProps & { readonly name: SheetDialogName }) {
  switch (name) {
    case 'numberFormat':
      return <NumberFormatDialog editor={editor} onClose={onClose} />;
    case 'borders':
      return <BordersDialog editor={editor} onClose={onClose} />;
    case 'link':
      return <LinkDialog editor={editor} onClose={onClose} />;
    case 'pasteSpecial':
      return <PasteDialog editor={editor} onClose={onClose} />;
    case 'renameSheet':
      return <SheetNameDialog editor={editor} onClose={onClose} />;
    case 'removeSheet':
      return <RemovalDialog editor={editor} onClose={onClose} />;
    case 'tabColor':
      return <TabColorDialog editor={editor} onClose={onClose} />;
    case 'picture':
      return (
        <PictureDialog
          onInsert={(files, description) => void insertPictureFiles(editor, files, { description })}
          onClose={onClose}
        />
      );
    case 'drawing':
      return <DrawingDialog editor={editor} onClose={onClose} />;
    case 'rowHeight':
      return <SizeDialog editor={editor} onClose={onClose} axis="row" />;
    case 'columnWidth':
      return <SizeDialog editor={editor} onClose={onClose} axis="column" />;
  }
}

function LinkDialog({ editor, onClose }: DialogProps) {
  const { active } = editor.selection.peek();
  const link = linkAt(editor, active);
  const text = editor.page.view.peek().cellAt(active.row, active.column)?.text ?? '';
  return (
    <FormDialog
      title={t('toolbar.link')}
      submitLabel={t('sheet.apply')}
      onClose={onClose}
      onSubmit={(fields) => {
        const address = String(fields.get('address')).trim();
        const typed = String(fields.get('text'));
        const keeps = typed === text && text !== '';
        setLink(editor, address === '' ? null : address, keeps ? null : typed);
        onClose();
      }}
    >
      <InputField label={t('sheet.linkAddress')} name="address" defaultValue={link?.address ?? ''} />
      <InputField label={t('sheet.linkText')} name="text" defaultValue={text} />
    </FormDialog>
  );
}

function TabColorDialog({ editor, onClose }: DialogProps) {
  const { id, properties } = editor.page.sheet;
  const theme = editor.page.workbook.value.properties.theme?.colors;
  return (
    <Dialog title={t('sheet.tabColor')} onClose={onClose} width="21rem">
      <ColorPalette
        groups={colorChoices(theme)}
        current={choiceOf(properties.color, theme)}
        css={cssColor(properties.color, theme)}
        noneLabel={t('toolbar.none')}
        otherLabel={t('toolbar.otherColor')}
        onChoose={(choice) => {
          colorSheet(editor, id, choice === null ? null : chosenColor(choice));
          onClose();
        }}
      />
    </Dialog>
  );
}

function SheetNameDialog({ editor, onClose }: DialogProps) {
  const { id, properties } = editor.page.sheet;
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
      <InputField
        label={t('sheet.name')}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      {problem && name !== properties.name && <p role="alert">{problem}</p>}
    </FormDialog>
  );
}

function SizeDialog({ editor, onClose, axis }: DialogProps & { axis: 'row' | 'column' }) {
  const view = editor.page.view.peek();
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
      <InputField
        label={t('sheet.pixels')}
        name="size"
        type="number"
        min={0}
        max={2000}
        required
        defaultValue={String(size)}
      />
    </FormDialog>
  );
}
