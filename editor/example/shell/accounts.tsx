import type { Person } from '../../../example/api.ts';
import { people } from '../settings.ts';
import './accounts.css';
import { ChevronDown } from 'lucide-preact';
import { MenuButton } from '../../kit/menu.tsx';
import { roleText } from './roles.ts';

/** An account's initials on its colour. Its name is beside it wherever it is used, so it says nothing itself. */
function Avatar({ person, size = 28 }: { person: Person; size?: number }) {
  return (
    <span
      class="avatar"
      aria-hidden="true"
      data-initials={person.initials}
      style={{
        background: person.colour,
        inlineSize: `${size}px`,
        blockSize: `${size}px`,
        fontSize: `${size * 0.4}px`,
      }}
    />
  );
}

/** Some accounts as a row of overlapping pictures with a text for those who do not see them. */
export function Avatars({ ids, label, size = 26 }: { ids: readonly string[]; label: string; size?: number }) {
  const shown = people().filter(({ id }) => ids.includes(id));
  if (shown.length === 0) return null;
  return (
    <span class="avatars" role="img" aria-label={label} title={label}>
      {shown.map((person) => (
        <Avatar key={person.id} person={person} size={size} />
      ))}
    </span>
  );
}

interface AccountMenuProps {
  person: Person;
  /** What the button is called for those who do not see it. */
  label: string;
  onChoose: (id: string) => void;
}

/** Shows an account and lets people choose another. */
export function AccountMenu({ person, label, onChoose }: AccountMenuProps) {
  const entries = () =>
    people().map((one) => ({
      label: `${one.name} – ${roleText(one.role)}`,
      checked: one.id === person.id,
      run: () => onChoose(one.id),
    }));
  return (
    <MenuButton class="account-button" label={label} entries={entries}>
      <Avatar person={person} />
      <span class="account-name">
        <strong>{person.name}</strong> <small>{roleText(person.role)}</small>
      </span>
      <ChevronDown size={16} aria-hidden="true" />
    </MenuButton>
  );
}
