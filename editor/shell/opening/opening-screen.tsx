import type { DocumentEvents } from '../../../client/document-events.ts';
import { t } from '../../strings/strings.ts';
import '../screens.css';

/** How far the opening of a document is, as far as that is known; `lost`: the server does not answer. */
export type OpeningStage = Omit<DocumentEvents['opening'], 'type'> | { readonly stage: 'lost' };

/** What is seen until there is a document. */
export function OpeningScreen({ title, stage }: { title: string; stage: OpeningStage }) {
  return (
    <main class="screen" aria-busy="true">
      <h1 dir="auto">{title}</h1>
      <Bar percent={'percent' in stage ? stage.percent : undefined} />
      <p role="status">{sentenceFor(stage)}</p>
    </main>
  );
}

/** How much is done; without a number only that something is. */
function Bar({ percent = 0 }: { percent?: number | undefined }) {
  if (percent === 0) return <div class="screen-bar" />;
  return (
    <div
      class="screen-bar is-counted"
      role="progressbar"
      aria-label={t('page.converting')}
      aria-valuenow={percent}
      style={{ '--percent': percent }}
    />
  );
}

function sentenceFor(stage: OpeningStage): string {
  switch (stage.stage) {
    case 'lost':
      return t('page.noAnswer');
    case 'fetching':
      return t('page.fetching');
    case 'waiting':
      return stage.ahead ? t('page.waitingBehind', { count: stage.ahead }) : t('page.waiting');
    case 'loading':
    case 'converting':
    case 'storing':
      return t('page.converting');
    case 'opening':
      return t('page.opening');
  }
}
