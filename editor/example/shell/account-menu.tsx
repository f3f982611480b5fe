import { ChevronDown } from 'lucide-preact';
import type { Person } from '../../../example/api.ts';
import { MenuButton } from '../../kit/menu.tsx';
import { people } from '../settings.ts';
import { Avatar } from './avatar.tsx';
import { roleText } from './roles.ts';
import './account-menu.css';

export interface AccountMenuProps {
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
