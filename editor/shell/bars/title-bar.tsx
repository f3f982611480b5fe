import { MessageSquare, MessagesSquare, Users } from 'lucide-preact';
import { IconButton } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import type { PanelName, WordEditor } from '../../word/word-editor.ts';
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
import '../../word/toolbar/menu-rows.css';

/** Which document this is, where its changes are, and who is here. */
export function TitleBar({ editor }: { editor: WordEditor }) {
  const { comments } = editor.config.editorConfig.customization;
  const rename = () => {
    editor.dialog.value = 'rename';
  };
  const panelButton = (name: PanelName, label: string, icon: preact.ComponentChildren) => (
    <IconButton
      label={label}
      aria-pressed={editor.panel.value === name}
      onClick={() => editor.togglePanel(name)}
    >
      {icon}
    </IconButton>
  );
  return (
    <div class="title-bar">
      <BackButton open={editor} />
      <Logo open={editor} />
      <DocumentTitle open={editor} onRename={rename} />
      <FavoriteButton open={editor} />
      <RoleBadge editor={editor} />
      <SavingStatus editor={editor} />
      <EditRightsButton open={editor} />
      <span class="title-bar-space" />
      <Avatars open={editor} />
      {panelButton('participants', t('toolbar.participants'), <Users size={18} />)}
      {comments && panelButton('comments', t('toolbar.comments'), <MessageSquare size={18} />)}
      {editor.role.canChat && panelButton('chat', t('toolbar.chat'), <MessagesSquare size={18} />)}
      <CloseButton open={editor} />
    </div>
  );
}

/** Said only when somebody may do less than edit. */
function RoleBadge({ editor }: { editor: WordEditor }) {
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
