import { LocateFixed } from 'lucide-preact';
import { IconButton } from '../../kit/button.tsx';
import type { Person } from '../../shell/people/people.ts';
import { PeoplePanel } from '../../shell/people/people-panel.tsx';
import { t } from '../../strings/strings.ts';
import type { WordEditor } from '../word-editor.ts';
import { cursorOf, scrollTo } from './remote-cursors.ts';

/** Everybody in the document; one can be followed. */
export function ParticipantsPanel({ editor }: { editor: WordEditor }) {
  const { followed } = editor.presence;
  const follow = (person: Person) => {
    followed.value = followed.value === person.id ? null : person.id;
    const position = cursorOf(editor.session.state, person.id);
    if (followed.value && position !== null) scrollTo(editor, position);
  };
  return (
    <PeoplePanel
      open={editor}
      onClose={() => editor.togglePanel('participants')}
      beside={(person) => (
        <IconButton
          label={t('together.follow', { name: person.name })}
          aria-pressed={followed.value === person.id}
          onClick={() => follow(person)}
        >
          <LocateFixed size={18} />
        </IconButton>
      )}
    />
  );
}
