import { Menu as MenuIcon } from 'lucide-preact';
import { MenuButton } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import type { WordEditor } from '../../word/word-editor.ts';
import { BackButton, CloseButton, DocumentTitle, EditRightsButton } from '../host/host-buttons.tsx';
import { Avatars } from '../people/avatars.tsx';
import { SavingStatus } from '../saving/saving-status.tsx';
import { fileEntries, togetherEntries, viewEntries } from './page-entries.ts';

/** The bar of `type: "mobile"`: all menus in one. */
export function CompactBar({ editor }: { editor: WordEditor }) {
  const entries = () => [
    ...fileEntries(editor),
    'separator' as const,
    ...viewEntries(editor),
    ...(editor.role.canEdit ? (['separator', ...togetherEntries(editor)] as const) : []),
  ];
  const rename = () => {
    editor.dialog.value = 'rename';
  };
  return (
    <div class="title-bar">
      <BackButton open={editor} />
      <DocumentTitle open={editor} onRename={rename} />
      <SavingStatus editor={editor} />
      <EditRightsButton open={editor} />
      <span class="title-bar-space" />
      <Avatars open={editor} />
      <MenuButton label={t('toolbar.menus')} entries={entries}>
        <MenuIcon size={20} />
      </MenuButton>
      <CloseButton open={editor} />
    </div>
  );
}
