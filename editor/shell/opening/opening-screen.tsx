import { t } from '../../strings/strings.ts';
import type { OpeningStage } from './opening-stage.ts';
import '../screens.css';

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
      aria-label={t('word.converting')}
      aria-valuenow={percent}
      style={{ '--percent': percent }}
    />
  );
}

function sentenceFor(stage: OpeningStage): string {
  switch (stage.stage) {
    case 'lost':
      return t('word.noAnswer');
    case 'fetching':
      return t('word.fetching');
    case 'waiting':
      return stage.ahead ? t('word.waitingBehind', { count: stage.ahead }) : t('word.waiting');
    case 'loading':
    case 'converting':
    case 'storing':
      return t('word.converting');
    case 'opening':
      return t('word.opening');
  }
}
