import { Activity, FileText, ListChecks, Save, Server, Settings } from 'lucide-preact';
import { t } from '../../strings/strings.ts';
import { type Section, sectionAddress, sections } from '../route.ts';

const icons = {
  overview: Activity,
  documents: FileText,
  saves: Save,
  queue: ListChecks,
  nodes: Server,
  configuration: Settings,
} as const;

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
