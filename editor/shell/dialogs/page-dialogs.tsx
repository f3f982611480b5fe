import { later } from '../../kit/later.tsx';
import type { DocumentEditor } from '../document-editor.ts';
import { LeaveDialog } from './leave-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { SharingDialog } from './sharing-dialog.tsx';
import { type Shortcut, ShortcutsDialog } from './shortcuts-dialog.tsx';

/** It asks the server what can be made of the document, and so may be asked for itself. */
const DownloadDialog = later(async () => (await import('./download-dialog.tsx')).DownloadDialog);

interface PageDialogsProps {
  editor: DocumentEditor;
  /** The keys of the kind, asked for when they are to be listed. */
  shortcuts: () => readonly Shortcut[];
}

/** The one of the shared dialogs that is open, if one is. */
export function PageDialogs({ editor, shortcuts }: PageDialogsProps) {
  const close = () => {
    editor.dialog.value = null;
  };
  switch (editor.dialog.value) {
    case 'rename':
      return <RenameDialog editor={editor} onClose={close} />;
    case 'sharing':
      return <SharingDialog editor={editor} onClose={close} />;
    case 'leave':
      return <LeaveDialog editor={editor} onClose={close} />;
    case 'download':
      return <DownloadDialog editor={editor} onClose={close} />;
    case 'shortcuts':
      return <ShortcutsDialog shortcuts={shortcuts()} onClose={close} />;
    default:
      return null;
  }
}
