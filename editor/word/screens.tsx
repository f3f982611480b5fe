import { roleOf } from '../frame/role.ts';
import { Button } from '../kit/button.tsx';
import { t } from '../strings/strings.ts';
import { Notice } from '../unavailable/notice.tsx';
import type { Failure, WordPage } from './word-page.ts';
import './screens.css';

export function OpeningScreen({ title, isStuck }: { title: string; isStuck: boolean }) {
  return (
    <main class="screen" aria-busy="true">
      <h1 dir="auto">{title}</h1>
      <div class="screen-bar" />
      <p role="status">{t(isStuck ? 'word.noAnswer' : 'word.opening')}</p>
    </main>
  );
}

/** Why there is no document, and what can be done about it. */
export function FailedScreen({ page, failure }: { page: WordPage; failure: Failure }) {
  const { document } = page.config;
  const mayDownload = roleOf(page.config).canDownload;
  return (
    <Notice
      sentence={failure.sentence}
      fileName={document.title}
      download={mayDownload ? (document.directUrl ?? document.url) : null}
    >
      <Button onClick={() => failure.action.run()}>{failure.action.label}</Button>
    </Notice>
  );
}
