import { Menu as MenuIcon, MessageSquare, MessagesSquare, Users } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { IconButton } from '../../kit/button.tsx';
import { MenuButton, type MenuEntry } from '../../kit/menu.tsx';
import { t } from '../../strings/strings.ts';
import {
  type CoeditedDocument,
  type DocumentEditor,
  openDialog,
  type SharedPanel,
  togglePanel,
} from '../document-editor.ts';
import {
  BackButton,
  CloseButton,
  DocumentTitle,
  EditRightsButton,
  FavoriteButton,
  Logo,
} from '../host/host-buttons.tsx';
import { Avatars } from '../people/avatars.tsx';
import { SavingStatus } from '../saving/saving-status.tsx';
import './title-bar.css';

interface TitleBarProps {
  editor: DocumentEditor;
  /** What stands behind the name of the document. */
  status?: ComponentChildren;
  /** Buttons behind those of the participants. */
  children?: ComponentChildren;
}

/** Which document this is, and who is here. */
export function TitleBar({ editor, status, children }: TitleBarProps) {
  return (
    <div class="title-bar">
      <BackButton open={editor} />
      <Logo open={editor} />
      <DocumentTitle open={editor} onRename={() => openDialog(editor, 'rename')} />
      <FavoriteButton open={editor} />
      <RoleBadge editor={editor} />
      {status}
      <span class="title-bar-space" />
      <Avatars open={editor} />
      <PanelButton editor={editor} name="participants" label={t('toolbar.participants')}>
        <Users size={18} />
      </PanelButton>
      {children}
      <CloseButton open={editor} />
    </div>
  );
}

/** The title bar of a document that is edited: also where its changes are, comments and chat. */
export function CoeditingTitleBar({ editor }: { editor: CoeditedDocument }) {
  const status = (
    <>
      <SavingStatus editor={editor} />
      <EditRightsButton open={editor} />
    </>
  );
  return (
    <TitleBar editor={editor} status={status}>
      {editor.config.editorConfig.customization.comments && (
        <PanelButton editor={editor} name="comments" label={t('toolbar.comments')}>
          <MessageSquare size={18} />
        </PanelButton>
      )}
      {editor.role.canChat && (
        <PanelButton editor={editor} name="chat" label={t('toolbar.chat')}>
          <MessagesSquare size={18} />
        </PanelButton>
      )}
    </TitleBar>
  );
}

interface CompactBarProps {
  editor: CoeditedDocument;
  entries: () => readonly MenuEntry[];
}

/** The bar of `type: "mobile"`: all menus in one. */
export function CompactBar({ editor, entries }: CompactBarProps) {
  return (
    <div class="title-bar">
      <BackButton open={editor} />
      <DocumentTitle open={editor} onRename={() => openDialog(editor, 'rename')} />
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

interface PanelButtonProps {
  editor: DocumentEditor;
  name: SharedPanel;
  label: string;
  children: ComponentChildren;
}

function PanelButton({ editor, name, label, children }: PanelButtonProps) {
  return (
    <IconButton
      label={label}
      aria-pressed={editor.panel.value === name}
      onClick={() => togglePanel(editor, name)}
    >
      {children}
    </IconButton>
  );
}

/** Said only when somebody may do less than edit. */
function RoleBadge({ editor }: { editor: DocumentEditor }) {
  const names = {
    edit: null,
    fill: t('toolbar.viewOnly'),
    view: t('toolbar.viewOnly'),
    comment: t('toolbar.commenting'),
    review: t('toolbar.reviewing'),
  };
  const name = names[editor.role.role];
  return name && <span class="role-badge">{name}</span>;
}
