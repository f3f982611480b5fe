import { routingIn } from '../frame/routing.ts';
import { notify } from '../kit/notices.tsx';
import { t } from '../strings/strings.ts';
import type { OpenDocument } from './open-document.ts';

/** A file of the document as it is now. */
export interface Copy {
  readonly url: string;
  readonly fileType: string;
}

/**
 * Asks the server for the document with every change up to now, in its own format or another (`/downloadas`,
 * integration API, 11.2), or as a PDF that the browser shows and prints. Null when there is none; the person has been told
 * why.
 */
export async function copyOf(
  open: OpenDocument,
  { fileType, isPrinted = false }: { fileType?: string | undefined; isPrinted?: boolean } = {},
): Promise<Copy | null> {
  const { client, config, serverUrl } = open;
  try {
    // Whoever is offline is told at once: waiting for the connection could take hours.
    if (client.status.connection !== 'ready') throw new Error('there is no connection');
    await open.saved();
    const address = new URL(`${serverUrl}/downloadas/${encodeURIComponent(config.document.key)}`);
    for (const [name, value] of Object.entries(routingIn(location.search))) {
      address.searchParams.set(name, value);
    }
    const command = isPrinted
      ? { c: 'save', outputformat: 'pdf', inline: true, withoutPassword: true }
      : { c: 'save', outputformat: fileType };
    if (fileType || isPrinted) address.searchParams.set('cmd', JSON.stringify(command));
    const response = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.sessionToken ?? ''}` },
    });
    const answer = (await response.json()) as { status?: string; url?: string; filetype?: string };
    if (answer.status === 'ok' && answer.url) {
      return { url: answer.url, fileType: answer.filetype ?? config.document.fileType };
    }
    notify({ text: t(fileType ? 'saving.noSuchFormat' : 'saving.noCopy'), kind: 'error' });
  } catch {
    notify({ text: t('saving.noConnection'), kind: 'error' });
  }
  return null;
}

/** Has the browser download the document. */
export async function download(open: OpenDocument): Promise<void> {
  const copy = await copyOf(open);
  if (!copy) return;
  const link = document.createElement('a');
  link.href = copy.url;
  link.download = '';
  link.click();
}

/** The embedding page's `downloadAs`: it gets the address of the file. */
export async function downloadForHost(open: OpenDocument, fileType?: string): Promise<void> {
  const copy = await copyOf(open, { fileType });
  if (copy) open.host.send('onDownloadAs', copy);
}

/** Gives the embedding page a copy to store somewhere. */
export async function saveCopy(open: OpenDocument): Promise<void> {
  const copy = await copyOf(open);
  if (copy) open.host.send('onRequestSaveAs', { ...copy, title: open.title.value });
}
