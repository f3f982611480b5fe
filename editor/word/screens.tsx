import { roleOf } from '../frame/role.ts';
import { Button } from '../kit/button.tsx';
import { Notice } from '../unavailable/notice.tsx';
import type { Failure, WordPage } from './word-page.ts';
import './screens.css';

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
