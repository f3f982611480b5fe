import { Download, FileX2 } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import type { FrameConfig } from '../../frame/frame-config.ts';
import { roleOf } from '../../frame/role.ts';
import { Button } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import './failed-screen.css';

/** What else there is to do for somebody who cannot go on. */
export type Way = { readonly label: string; readonly run: () => void };

/** Why there is no document, and what to press. */
export interface Failure {
  readonly sentence: string;
  readonly action: Way;
}

/** Why there is no document, and what can be done about it. */
export function FailedScreen({ config, failure }: { config: FrameConfig; failure: Failure }) {
  const { document } = config;
  const mayDownload = roleOf(config).canDownload;
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

interface NoticeProps {
  /** Why the document is not shown. */
  sentence: string;
  /** Absent where there is no document at all. */
  fileName?: string | undefined;
  /** Where the file can be had, or null if this person may not have it. */
  download?: string | null;
  /** What else can be done. */
  children?: ComponentChildren;
}

/** What is shown in the place of a document that cannot be opened. */
function Notice({ sentence, fileName, download = null, children }: NoticeProps) {
  return (
    <main class="notice-page">
      <div class="notice-card">
        <FileX2 class="notice-icon" size={40} aria-hidden="true" />
        {fileName && (
          <h1 class="notice-file" dir="auto">
            {fileName}
          </h1>
        )}
        <p class="notice-sentence" role={fileName ? undefined : 'alert'}>
          {sentence}
        </p>
        {children}
        {fileName !== undefined && <DownloadWay download={download} fileName={fileName} />}
      </div>
    </main>
  );
}

function DownloadWay({ download, fileName }: { download: string | null; fileName: string }) {
  if (!download || !isWebAddress(download)) return <p>{t('unavailable.noDownload')}</p>;
  return (
    <>
      <p>{t('unavailable.advice')}</p>
      <a
        class="notice-download"
        href={download}
        download={fileName}
        target="_blank"
        rel="noopener noreferrer"
      >
        <Download size={18} aria-hidden="true" />
        {t('unavailable.download')} <span class="visually-hidden">{t('unavailable.newTab')}</span>
      </a>
    </>
  );
}

const isWebAddress = (address: string): boolean => /^https?:\/\//i.test(address);
