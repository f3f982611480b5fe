import type { OpenDocument } from '../document-editor.ts';
import type { Person } from './people.ts';
import './avatars.css';

const mostShown = 5;

export function Avatar({ person, open }: { person: Person; open: OpenDocument }) {
  const portrait = open.facts.portraits.value.get(person.userId);
  return (
    <span class="avatar" style={{ background: person.color }} title={person.name} aria-hidden="true">
      {portrait ? <img src={portrait} alt="" referrerpolicy="no-referrer" /> : person.initials}
    </span>
  );
}

/** Who is here, in the title bar. The panel of people has them by name. */
export function Avatars({ open }: { open: OpenDocument }) {
  const others = open.people.value.filter(({ isMe }) => !isMe);
  return (
    <span class="avatars">
      {others.slice(0, mostShown).map((person) => (
        <Avatar key={person.id} person={person} open={open} />
      ))}
      {others.length > mostShown && <span class="avatar avatar-more">+{others.length - mostShown}</span>}
    </span>
  );
}
