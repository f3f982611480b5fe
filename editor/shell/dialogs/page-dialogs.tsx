import { later } from '../../kit/later.tsx';
import type { DocumentEditor } from '../document-editor.ts';
import { LeaveDialog } from './leave-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import type { Shortcut } from './shortcuts-dialog.tsx';

const SharingDialog = later(async () => (await import('./sharing-dialog.tsx')).SharingDialog);
const ShortcutsDialog = later(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);
/** It asks the server what can be made of the document, and so may be asked for itself. */
const DownloadDialog = later(async () => (await import('./download-dialog.tsx')).DownloadDialog);

interface PageDialogsProps {
  editor: DocumentEditor;
  /** The keys of the kind, asked for when they are to be listed. */
  shortcuts: () => Promise<readonly Shortcut[]>;
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
      return <ShortcutsDialog shortcuts={shortcuts} onClose={close} />;
    default:
      return null;
  }
}
