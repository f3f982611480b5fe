import type { Signal } from '@preact/signals';
import { Eye, LocateFixed } from 'lucide-preact';
import { IconButton } from '../../kit/button.tsx';
import { SidePanel } from '../../kit/side-panel.tsx';
import { t } from '../../strings/strings.ts';
import { type DocumentEditor, togglePanel } from '../document-editor.ts';
import { Avatar } from './avatars.tsx';
import type { Person } from './people.ts';
import './people-panel.css';

interface PeoplePanelProps {
  editor: DocumentEditor;
  /** How the page scrolls with somebody; absent where nobody has a cursor. `followed`: the id of that person. */
  following?: { readonly followed: Signal<string | null>; scrollTo(person: Person): void };
}

/** The participants; one of them can be followed. */
export function PeoplePanel({ editor, following }: PeoplePanelProps) {
  const follow = (person: Person) => {
    const { followed, scrollTo } = following!;
    followed.value = followed.value === person.id ? null : person.id;
    if (followed.value) scrollTo(person);
  };
  return (
    <SidePanel title={t('toolbar.participants')} onClose={() => togglePanel(editor, 'participants')}>
      <ul class="people">
        {editor.people.value.map((person) => (
          <li key={person.id}>
            <Avatar person={person} open={editor} />
            <span class="people-name">
              {person.isMe ? t('together.you', { name: person.name }) : person.name}
            </span>
            {person.viewsOnly && <Eye size={16} role="img" aria-label={t('together.viewsOnly')} />}
            {following && !person.isMe && (
              <IconButton
                label={t('together.follow', { name: person.name })}
                aria-pressed={following.followed.value === person.id}
                onClick={() => follow(person)}
              >
                <LocateFixed size={18} />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </SidePanel>
  );
}
