import { AppearanceMenu } from '../../page/appearance-menu.tsx';
import { Logo } from '../../page/logo.tsx';
import { t } from '../../strings/strings.ts';
import { become, me } from '../me.ts';
import { AccountMenu } from './account-menu.tsx';
import { roleText } from './roles.ts';
import '../../page/header.css';

/** The top of the list: what this is, and who you are. */
export function Header() {
  const person = me.value;
  return (
    <header class="header">
      <Logo />
      <span class="header-name">{t('example.appName')}</span>
      <span class="header-space" />
      <AppearanceMenu />
      {person && (
        <AccountMenu
          person={person}
          label={t('example.accountMenu', { name: person.name, role: roleText(person.role) })}
          onChoose={become}
        />
      )}
    </header>
  );
}
