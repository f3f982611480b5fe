import { Eye, LocateFixed } from 'lucide-preact';
import { IconButton } from '../../kit/button.tsx';
import { SidePanel } from '../../kit/side-panel.tsx';
import { t } from '../../strings/strings.ts';
import type { WordEditor } from '../word-editor.ts';
import { Avatar } from './avatars.tsx';
import type { Person } from './people.ts';
import { cursorOf, scrollTo } from './remote-cursors.ts';
import './participants-panel.css';

/** Everybody in the document; one can be followed. */
export function ParticipantsPanel({ editor }: { editor: WordEditor }) {
  const { people, followed } = editor.presence;
  const follow = (person: Person) => {
    followed.value = followed.value === person.id ? null : person.id;
    const position = cursorOf(editor.session.state, person.id);
    if (followed.value && position !== null) scrollTo(editor, position);
  };
  return (
    <SidePanel title={t('toolbar.participants')} onClose={() => editor.togglePanel('participants')}>
      <ul class="people">
        {people.value.map((person) => (
          <li key={person.id}>
            <Avatar person={person} editor={editor} />
            <span class="people-name">
              {person.isMe ? t('together.you', { name: person.name }) : person.name}
            </span>
            {person.viewsOnly && <Eye size={16} role="img" aria-label={t('together.viewsOnly')} />}
            {!person.isMe && (
              <IconButton
                label={t('together.follow', { name: person.name })}
                aria-pressed={followed.value === person.id}
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
