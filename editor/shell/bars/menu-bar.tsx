import { MenuButton, type MenuEntry } from '../../kit/menu.tsx';
import { Toolbar } from '../../kit/toolbar.tsx';
import { type StringKey, t } from '../../strings/strings.ts';
import type { DocumentEditor } from '../document-editor.ts';
import './menu-bar.css';

/** A menu of the menu bar. */
export interface BarMenu {
  readonly label: StringKey;
  readonly entries: () => readonly MenuEntry[];
}

interface MenuBarProps {
  editor: DocumentEditor;
  menus: readonly BarMenu[];
}

/** Everything that can be done, by name. */
export function MenuBar({ editor, menus }: MenuBarProps) {
  return (
    <Toolbar label={t('toolbar.menus')} class="menu-bar" onEscape={() => editor.focus()}>
      {menus.map(({ label, entries }) => (
        <MenuButton
          key={label}
          label={t(label)}
          entries={() => entries().map((entry) => fromDocument(editor, entry))}
        >
          {t(label)}
        </MenuButton>
      ))}
    </Toolbar>
  );
}

/** One goes on typing after having chosen something, and what the entry opens gives the focus back to the document. */
function fromDocument(editor: DocumentEditor, entry: MenuEntry): MenuEntry {
  if (entry === 'separator') return entry;
  const run = () => {
    editor.focus();
    entry.run();
  };
  return { ...entry, run };
}
