import { CheckpointUnreadable } from '../client-error.ts';
import type { OfferedCheckpoint, OpenedDocument } from '../options.ts';
import { documentFile } from '../protocol/index.ts';
import type { CheckpointText, DocumentBase, KindReplica, KindTypes, SessionKind } from './kind-replica.ts';

/** Fetches a text. @throws when it cannot be had */
export type Download = (address: string) => Promise<string>;

export interface DownloadedDocument<Kind extends KindTypes, Shown extends KindReplica<Kind>> {
  /** The text of the document that the log began with. */
  readonly baseText: string;
  readonly base: DocumentBase<Kind, Shown>;
  readonly checkpoint: CheckpointText | null;
}

/**
 * Downloads what a session begins with. The document is read while the session may still be waiting to begin, and with it
 * for the offer of a checkpoint.
 * @throws CheckpointUnreadable if the checkpoint cannot be had
 */
export async function downloadDocument<Kind extends KindTypes, Shown extends KindReplica<Kind>>(
  kind: Pick<SessionKind<Kind, Shown>, 'read'>,
  opened: OpenedDocument | null,
  offered: Promise<OfferedCheckpoint | null>,
  download: Download = fetchText,
): Promise<DownloadedDocument<Kind, Shown>> {
  const address = opened?.urls[documentFile];
  if (!address) throw new Error('the server gave no document');
  const fetched = offered.then((one) => one && fetchCheckpoint(one, download));
  fetched.catch(() => undefined);
  const baseText = opened.reply?.text ?? (await download(address));
  const base = kind.read(baseText);
  return { baseText, base, checkpoint: await fetched };
}

async function fetchText(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the document could not be fetched: status ${response.status}`);
  return response.text();
}

async function fetchCheckpoint(
  { index, url }: OfferedCheckpoint,
  download: Download,
): Promise<CheckpointText> {
  try {
    return { index, text: await download(url) };
  } catch (cause) {
    throw new CheckpointUnreadable(cause);
  }
}
