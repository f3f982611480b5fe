import type { WordEditor } from '../word-editor.ts';
import type { Person } from './people.ts';
import './avatars.css';

const mostShown = 5;

export function Avatar({ person, editor }: { person: Person; editor: WordEditor }) {
  const portrait = editor.facts.portraits.value.get(person.userId);
  return (
    <span class="avatar" style={{ background: person.color }} title={person.name} aria-hidden="true">
      {portrait ? <img src={portrait} alt="" referrerpolicy="no-referrer" /> : person.initials}
    </span>
  );
}

/** Who is here, in the title bar. The panel of people has them by name. */
export function Avatars({ editor }: { editor: WordEditor }) {
  const others = editor.presence.people.value.filter(({ isMe }) => !isMe);
  return (
    <span class="avatars">
      {others.slice(0, mostShown).map((person) => (
        <Avatar key={person.id} person={person} editor={editor} />
      ))}
      {others.length > mostShown && <span class="avatar avatar-more">+{others.length - mostShown}</span>}
    </span>
  );
}
