import { LiveRegions } from '../kit/announce.tsx';
import { Notices } from '../kit/notices.tsx';
import { t } from '../strings/strings.ts';
import { ConfigurationSection } from './configuration/configuration-section.tsx';
import { DocumentsSection } from './documents/documents-section.tsx';
import { HistorySection } from './history/history-section.tsx';
import { NodesSection } from './nodes/nodes-section.tsx';
import { OverviewSection } from './overview/overview-section.tsx';
import { isLost } from './polled.ts';
import { QueueSection } from './queue/queue-section.tsx';
import { route, type Section } from './route.ts';
import { SavesSection } from './saves/saves-section.tsx';
import { session } from './session.ts';
import { Header, Navigation } from './shell/header.tsx';
import { LoginPage } from './shell/login-page.tsx';

const shownBy: Readonly<Record<Section, () => preact.JSX.Element>> = {
  overview: OverviewSection,
  history: HistorySection,
  documents: DocumentsSection,
  saves: SavesSection,
  queue: QueueSection,
  nodes: NodesSection,
  configuration: ConfigurationSection,
};

/** The page of the administration: the section that its address names, or the way to sign in. */
export function App() {
  const { section } = route.value;
  const Shown = shownBy[section];
  return (
    <>
      {session.value ? (
        <div class="admin">
          <button type="button" class="skip-link" onClick={skip}>
            {t('admin.skip')}
          </button>
          <Header session={session.value} />
          <Navigation section={section} />
          <div class="admin-body">
            {isLost.value && (
              <p class="banner" role="status">
                {t('admin.lost')}
              </p>
            )}
            <Shown key={section} />
          </div>
        </div>
      ) : (
        <LoginPage />
      )}
      <Notices />
      <LiveRegions />
    </>
  );
}

/** Not a link to `#content`: the part of the address behind `#` names the section. */
function skip(): void {
  document.getElementById('content')?.focus();
}
