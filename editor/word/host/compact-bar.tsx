import { Menu as MenuIcon } from 'lucide-preact';
import { MenuButton } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import { SavingStatus } from '../saving/saving-status.tsx';
import { Avatars } from '../together/avatars.tsx';
import { fileEntries, togetherEntries, viewEntries } from '../toolbar/page-entries.ts';
import type { WordEditor } from '../word-editor.ts';
import { BackButton, CloseButton, DocumentTitle, EditRightsButton } from './host-buttons.tsx';

/** The bar of `type: "mobile"`: all menus in one. */
export function CompactBar({ editor }: { editor: WordEditor }) {
  const entries = () => [
    ...fileEntries(editor),
    'separator' as const,
    ...viewEntries(editor),
    ...(editor.role.canEdit ? (['separator', ...togetherEntries(editor)] as const) : []),
  ];
  return (
    <div class="title-bar">
      <BackButton editor={editor} />
      <DocumentTitle editor={editor} />
      <SavingStatus editor={editor} />
      <EditRightsButton editor={editor} />
      <span class="title-bar-space" />
      <Avatars editor={editor} />
      <MenuButton label={t('toolbar.menus')} entries={entries}>
        <MenuIcon size={20} />
      </MenuButton>
      <CloseButton editor={editor} />
    </div>
  );
}
