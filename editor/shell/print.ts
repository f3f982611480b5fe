import { dismissNotice, notify } from '../kit/notices.tsx';
import { t } from '../strings/strings.ts';
import type { CopyWish, OpenDocument } from './document-editor.ts';
import { copyOf } from './download.ts';

const topic = 'print';
/** One that waits for its print dialog; the browser may read from it until the next. */
let frame: HTMLIFrameElement | null = null;
let isPreparing = false;

/**
 * Prints the pages that an engine makes of the document, with every change up to now. Where there is none, the browser's
 * own printing of what is shown is offered.
 *
 * @param printShown prints what is shown; null where that is not all of the document
 * @param wish what is wished of the pages
 */
export async function printDocument(
  document: OpenDocument,
  printShown: (() => void) | null,
  wish?: CopyWish,
): Promise<void> {
  if (!document.role.canPrint || isPreparing) return;
  isPreparing = true;
  notify({ text: t('saving.preparingPages'), kind: 'info', topic, stays: true });
  try {
    const copy = await copyOf(document, 'pdf', { wish, isPrinted: true });
    if (typeof copy === 'string') {
      notify({
        text: t(copy === 'noSuchFormat' ? 'saving.noPages' : `saving.${copy}`),
        kind: 'warning',
        topic,
        stays: true,
        ...(printShown && { action: { label: t('saving.printShown'), run: printShown } }),
      });
    } else printPages(copy.url);
  } finally {
    isPreparing = false;
  }
}

/** Not every browser shows a PDF in a frame, and not every one lets a page print what it shows there. */
function printPages(url: string): void {
  const offer = () =>
    notify({
      text: t('saving.pagesReady'),
      kind: 'info',
      topic,
      stays: true,
      action: { label: t('saving.openPages'), run: () => void open(url, '_blank', 'noopener') },
    });
  if (!navigator.pdfViewerEnabled) return void offer();
  frame?.remove();
  const made = globalThis.document.createElement('iframe');
  frame = made;
  made.className = 'print-frame';
  made.title = t('toolbar.print');
  made.addEventListener('load', () => {
    try {
      made.contentWindow!.focus();
      made.contentWindow!.print();
      dismissNotice(topic);
    } catch {
      offer();
    }
  });
  made.src = url;
  globalThis.document.body.append(made);
}
