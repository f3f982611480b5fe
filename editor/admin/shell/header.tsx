import { Activity, ChartLine, FileText, ListChecks, LogOut, Save, Server, Settings } from 'lucide-preact';
import type { SessionAnswer } from '../../../services/admin/api.ts';
import { IconButton } from '../../kit/button.tsx';
import { AppearanceMenu } from '../../page/appearance-menu.tsx';
import { Logo } from '../../page/logo.tsx';
import { t } from '../../strings/strings.ts';
import { signOut } from '../session.ts';
import '../../page/header.css';
import { type Section, sectionAddress, sections } from '../route.ts';

/** The top of the page: what it is, and who is signed in. */
export function Header({ session }: { session: SessionAnswer }) {
  return (
    <header class="header">
      <Logo />
      <span class="header-name">{t('admin.title')}</span>
      <span class="header-space" />
      <span class="header-who" title={session.role === 'read' ? t('admin.readOnly') : undefined}>
        {t('admin.signedInAs', { name: session.name })}
      </span>
      <AppearanceMenu />
      <IconButton label={t('admin.signOut')} onClick={() => void signOut()}>
        <LogOut size={18} aria-hidden="true" />
      </IconButton>
    </header>
  );
}

const icons = {
  overview: Activity,
  history: ChartLine,
  documents: FileText,
  saves: Save,
  queue: ListChecks,
  nodes: Server,
  configuration: Settings,
} as const;

/** Links to the sections. */
export function Navigation({ section }: { section: Section }) {
  return (
    <nav class="admin-nav" aria-label={t('admin.sections')}>
      {sections.map((one) => {
        const Icon = icons[one];
        return (
          <a key={one} href={sectionAddress(one)} aria-current={one === section ? 'page' : undefined}>
            <Icon size={16} aria-hidden="true" />
            {t(`admin.${one}`)}
          </a>
        );
      })}
    </nav>
  );
}
