import { useEffect } from 'preact/hooks';
import { LiveRegions } from '../kit/announce.tsx';
import { t } from '../strings/strings.ts';
import { DocumentPage } from './document/document-page.tsx';
import { disconnected, follow } from './documents.ts';
import { ListPage } from './list/list-page.tsx';
import { ready } from './settings.ts';
import { route } from './shell/route.tsx';
import { Toasts } from './shell/toasts.tsx';

/** The page of the example: the list, or a document, as its address says. */
export function App() {
  useEffect(follow, []);
  const shown = route.value;
  return (
    <>
      {!ready() && <p class="starting">{t('common.loading')}</p>}
      {ready() && shown.page === 'list' && <ListPage />}
      {ready() && shown.page === 'document' && <DocumentPage key={shown.id} route={shown} />}
      {disconnected.value && (
        <p class="banner" role="status">
          {t('example.lost')}
        </p>
      )}
      <Toasts />
      <LiveRegions />
    </>
  );
}
