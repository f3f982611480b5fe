import { useLayoutEffect } from 'preact/hooks';
import { PageDialogs } from '../../shell/dialogs/page-dialogs.tsx';
import { PictureDialog } from '../../shell/pictures/picture-dialog.tsx';
import { shortcuts } from '../commands/keyboard.ts';
import { insertPictureFiles } from '../pictures/insert-pictures.ts';
import { LiftDialog } from '../protection/lift-dialog.tsx';
import type { WordEditor } from '../word-editor.ts';
import { CellShadingDialog } from './cell-shading-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { PicturePropertiesDialog } from './picture-properties-dialog.tsx';
import { SpacingDialog } from './spacing-dialog.tsx';
import { TableDialog } from './table-dialog.tsx';
import { WordCountDialog } from './word-count-dialog.tsx';

/** The dialog that is open, if one is. */
export function Dialogs({ editor }: { editor: WordEditor }) {
  const close = () => {
    editor.dialog.value = null;
  };
  const name = editor.dialog.value;
  useLayoutEffect(() => {
    if (name === null || name === 'find') return undefined;
    // Behind an open dialog the text has no selection, and gets none by having the focus back.
    return () => editor.focus();
  }, [editor, name]);
  switch (name) {
    case 'link':
      return <LinkDialog editor={editor} onClose={close} />;
    case 'picture':
      return (
        <PictureDialog
          onInsert={(files, alt) => void insertPictureFiles(editor, files, alt)}
          onClose={close}
        />
      );
    case 'pictureProperties':
      return <PicturePropertiesDialog editor={editor} onClose={close} />;
    case 'table':
      return <TableDialog editor={editor} onClose={close} />;
    case 'spacing':
      return <SpacingDialog editor={editor} onClose={close} />;
    case 'cellShading':
      return <CellShadingDialog editor={editor} onClose={close} />;
    case 'liftProtection':
      return <LiftDialog editor={editor} onClose={close} />;
    case 'wordCount':
      return <WordCountDialog editor={editor} onClose={close} />;
    default:
      return <PageDialogs editor={editor} shortcuts={async () => shortcuts()} />;
  }
}
