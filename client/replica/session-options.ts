import type { DocumentClientOptions } from '../options.ts';
import type { Lock } from '../protocol/index.ts';
import type { Download } from './document-download.ts';
import type { Recovered } from './unsent-changes.ts';
import type { UnsentStore } from './unsent-store.ts';

/**
 * - `fast`: changes go out and come in as they are made.
 * - `strict`: they go out and come in with `save`, and an element that is being changed is held until then.
 */
export type EditingMode = 'fast' | 'strict';

/** Options of a session in a document of any kind; model and hooks are its own affair. */
export interface SessionOptions extends Omit<DocumentClientOptions, 'hooks'> {
  /** Tells this session's changes from all others'; see the README. A new one unless given. */
  clientId?: string;
  /** As `auth.coEditingMode` says unless given. */
  editingMode?: EditingMode;
  /** Keeps what is unsent when the page is gone. Without one it is kept for `reopen` only. */
  store?: UnsentStore;
  /** What the file is, whatever its key: changes made under an earlier key are found by it. */
  file?: string;
  /** Others' changes are about to come into the document. */
  beforeRemote?: () => void;
  /** Local changes that the server's model does not allow were taken back, and the text that went with them. */
  onRefused?: (reason: string, text: string) => void;
  /** Changes of an earlier session were found when the document was opened. */
  onRecovered?: (recovered: Recovered) => void;
  /** Somebody else holds the element: what was changed in it was not done, or taken back with this text. */
  onLockRefused?: (elementId: string, holder: Lock, text: string) => void;
  /** More addresses of pictures are known. */
  onMedia?: () => void;
  /** Fetches the document's text. @throws when it cannot be had */
  download?: Download;
}
