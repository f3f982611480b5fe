import { routingIn } from '../frame/server-address.ts';
import { notify } from '../kit/notices.tsx';
import { t } from '../strings/strings.ts';
import type { CopyWish, OpenDocument } from './document-editor.ts';

/** A file of the document as it is now. */
export interface Copy {
  readonly url: string;
  readonly fileType: string;
}

interface CopyOptions {
  readonly wish?: CopyWish | undefined;
  readonly isPrinted?: boolean;
}

/** Why there is no copy; the word that people are told. */
export type NoCopy = 'noConnection' | 'noSuchFormat' | 'noCopy';

interface Answer {
  readonly status?: string;
  readonly url?: string;
  readonly filetype?: string;
  readonly data?: unknown;
}

/** Asks the server for something of the document (`/downloadas`, integration API, 11.2). @throws without an answer */
async function ask({ client, config, serverUrl }: OpenDocument, command: object): Promise<Answer> {
  const address = new URL(`${serverUrl}/downloadas/${encodeURIComponent(config.document.key)}`);
  for (const [name, value] of Object.entries(routingIn(location.search))) {
    address.searchParams.set(name, value);
  }
  address.searchParams.set('cmd', JSON.stringify(command));
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.sessionToken ?? ''}` },
  });
  return (await response.json()) as Answer;
}

/** Somebody who is offline is told at once: waiting for the connection could take hours. */
const isOffline = ({ client }: OpenDocument): boolean => client.status.connection !== 'ready';

/**
 * The document with every change up to now, in its own format or another, or why there is none. What waits for being
 * saved in strict mode is shared by it.
 * @param wish what is wished of it; by default what the kind says for the type. Where no engine can follow, it is made without.
 * @param isPrinted a PDF that the browser shows and prints, which asks for no password; for those who may print and not download
 */
export async function copyOf(
  open: OpenDocument,
  fileType?: string,
  { wish, isPrinted = false }: CopyOptions = {},
): Promise<Copy | NoCopy> {
  if (isOffline(open)) return 'noConnection';
  try {
    await open.session?.save();
    const command = {
      c: 'save',
      ...(fileType && { outputformat: fileType }),
      ...(isPrinted && { inline: true, withoutPassword: true }),
    };
    const { region, ...wished } =
      wish ?? (fileType === undefined ? {} : ((await open.wishFor?.(fileType)) ?? {}));
    const asked = { ...wished, ...(region && { jsonparams: { locale: region } }) };
    let answer = await ask(open, { ...command, ...asked });
    if (answer.status !== 'ok' && Object.keys(asked).length > 0) answer = await ask(open, command);
    if (answer.status === 'ok' && answer.url) {
      return { url: answer.url, fileType: answer.filetype ?? open.config.document.fileType };
    }
    return fileType ? 'noSuchFormat' : 'noCopy';
  } catch {
    return 'noConnection';
  }
}

/** What the server can make of the document now, its own format first, or why that is not known. */
export async function formatsOf(open: OpenDocument): Promise<readonly string[] | NoCopy> {
  if (isOffline(open)) return 'noConnection';
  try {
    const { status, data } = await ask(open, { c: 'formats' });
    return status === 'ok' && Array.isArray(data) ? data.map(String) : 'noCopy';
  } catch {
    return 'noConnection';
  }
}

/** The copy, or null when there is none; the person has been told why. */
async function copyOrNotice(open: OpenDocument, fileType?: string): Promise<Copy | null> {
  const copy = await copyOf(open, fileType);
  if (typeof copy !== 'string') return copy;
  notify({ text: t(`saving.${copy}`), kind: 'error' });
  return null;
}

/** Has the browser download a copy. */
export function save({ url }: Copy): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

/** Has the browser download the document in its own format. */
export async function download(open: OpenDocument): Promise<void> {
  const copy = await copyOrNotice(open);
  if (copy) save(copy);
}

/** The embedding page's `downloadAs`: it gets the address of the file. */
export async function downloadForHost(open: OpenDocument, fileType?: string): Promise<void> {
  const copy = await copyOrNotice(open, fileType);
  if (copy) open.host.send('onDownloadAs', copy);
}

/** Gives the embedding page a copy to store somewhere. */
export async function saveCopy(open: OpenDocument): Promise<void> {
  const copy = await copyOrNotice(open);
  if (copy) open.host.send('onRequestSaveAs', { ...copy, title: open.title.value });
}
