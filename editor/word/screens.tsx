import type { HostCodeName } from '../frame/error-codes.ts';
import { describeCode } from '../frame/host-report.ts';
import { roleOf } from '../frame/role.ts';
import { Button } from '../kit/button.tsx';
import { t } from '../strings/strings.ts';
import { Notice } from '../unavailable/notice.tsx';
import type { WordPage } from './word-page.ts';
import './screens.css';

export function OpeningScreen({ title }: { title: string }) {
  return (
    <main class="screen" aria-busy="true">
      <h1>{title}</h1>
      <div class="screen-bar" />
      <p role="status">{t('word.opening')}</p>
    </main>
  );
}

/** Why there is no document, and what can be done about it. */
export function FailedScreen({ page, code }: { page: WordPage; code: HostCodeName }) {
  const { document } = page.config;
  const mayDownload = roleOf(page.config).canDownload;
  return (
    <>
      <Notice
        sentence={describeCode(code)}
        fileName={document.title}
        download={mayDownload ? (document.directUrl ?? document.url) : null}
      />
      <Button class="screen-retry" onClick={() => void page.open()}>
        {t('common.retry')}
      </Button>
    </>
  );
}
