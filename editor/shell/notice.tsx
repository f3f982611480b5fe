import { Download, FileX2 } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { t } from '../strings/strings.ts';
import './notice.css';

export interface NoticeProps {
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
export function Notice({ sentence, fileName, download = null, children }: NoticeProps) {
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
        {fileName !== undefined && <Way download={download} fileName={fileName} />}
      </div>
    </main>
  );
}

function Way({ download, fileName }: { download: string | null; fileName: string }) {
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
